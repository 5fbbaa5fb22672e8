// node networks.mjs BUILD PACKAGES FOLDER WEBNN: the networks that networks/networks.py wrote into FOLDER by onnxruntime-web's
// WebNN execution provider, unmodified, over our navigator.ml in Chromium: beside its own WebAssembly provider, and beside C,
// which is the command WEBNN. Of each network the largest difference is said, in units of the output's root mean square; of
// a quantized one the elements that are a step of the last quantization away. A network is one graph, a run one dispatch.
import fs from 'node:fs';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {openBrowser, serve} from './pages.mjs';

const [, , build, packages, folder, webnn] = process.argv;
const BOUND = 5e-5, SOME = 0.05, MORE = 1.5, MOST_STEPS = 3; // those of scripts/onnx_networks.js, which has the reasons
const ort = path.join(packages, 'node_modules/onnxruntime-web/dist');
const server = await serve(url => url === '/' ? '<!doctype html><meta charset=utf-8><script src=/binding/webnn.js></script><script src=/ort/ort.all.min.js></script>'
  : url.startsWith('/binding/') ? {file: path.join(build, path.basename(url))}
  : url.startsWith('/ort/') ? {file: path.join(ort, path.basename(url))}
  : url.startsWith('/networks/') ? {file: path.join(folder, url.slice('/networks/'.length))} : undefined);
const browser = await openBrowser(packages);
let passed = 0, failed = 0;

async function inPage(item, provider, level = 'all') { // {outputs, calls}
  const page = await browser.newPage();
  try {
    await page.goto(server.origin);
    return await page.evaluate(async ({item, provider, level}) => {
      const calls = {build: 0, dispatch: 0};
      for (const [I, name] of [[MLGraphBuilder, 'build'], [MLContext, 'dispatch']]) {
        const own = I.prototype[name];
        I.prototype[name] = function (...given) { calls[name]++; return own.apply(this, given); };
      }
      Object.assign(ort.env.wasm, {numThreads: 1, wasmPaths: '/ort/'});
      ort.env.logLevel = 'error';
      const at = `/networks/${item.name}/`, bytes = async name => (await fetch(at + name)).arrayBuffer();
      const session = await ort.InferenceSession.create(`${at}model.onnx`, {executionProviders: [provider], freeDimensionOverrides: item.dimensions, graphOptimizationLevel: level});
      const feeds = {}, arrays = {float32: Float32Array, int64: BigInt64Array};
      for (const {name, type, shape} of item.inputs) feeds[name] = new ort.Tensor(type, new arrays[type](await bytes(`${encodeURIComponent(name)}.bin`)), shape);
      const results = await session.run(feeds);
      return {calls, outputs: item.outputs.map(name => [...results[name].data].map(Number))};
    }, {item, provider, level});
  } finally { await page.close(); }
}
function byC(item) {
  const out = path.join(folder, item.name, 'c'), sizes = Object.entries(item.dimensions).flatMap(([name, size]) => ['--dim', `${name}=${size}`]);
  fs.mkdirSync(out, {recursive: true});
  execFileSync(webnn, ['run', path.join(folder, item.name, 'model.onnx'), '--inputs', path.join(folder, item.name), '--out', out, '--format', 'raw', ...sizes], {stdio: ['ignore', 'ignore', 'pipe']});
  return item.outputs.map(name => { const b = fs.readFileSync(path.join(out, `${encodeURIComponent(name)}.bin`)); return [...new Float32Array(b.buffer, b.byteOffset, b.length / 4)]; });
}

// The largest difference in units of the root mean square; the elements that are a step away, and further.
function differ(actual, expected, step) {
  if (actual.length !== expected.length) return {units: Infinity, near: Infinity, far: Infinity};
  let largest = 0, power = 0, near = 0, far = 0;
  expected.forEach((x, i) => {
    const apart = Math.abs(actual[i] - x);
    if (!(apart <= largest)) largest = apart; // NaN counts
    power += x * x;
    if (step && apart > 0.5 * step) near++;
    if (step && !(apart < (MOST_STEPS + 0.5) * step)) far++;
  });
  return {units: power > 0 ? largest / Math.sqrt(power / expected.length) : largest === 0 ? 0 : Infinity, near, far};
}
function judge(name, item, actual, expected, other) {
  let right = true, worst = 0, near = 0, own = 0;
  item.outputs.forEach((_, i) => {
    const d = differ(actual[i], expected[i], item.step), itself = other ? differ(other[i], expected[i], item.step).near : 0;
    right &&= item.step ? d.far === 0 && d.near <= MORE * itself + SOME * expected[i].length : d.units <= BOUND;
    worst = Math.max(worst, d.units);
    near += d.near;
    own += itself;
  });
  right ? passed++ : failed++;
  return `${right ? '' : 'FAILED '}${item.step ? `${near} of ${expected.flat().length} elements a step (its own without optimizations: ${own})` : worst.toExponential(1)} from ${name}`;
}

for (const item of fs.readFileSync(path.join(folder, 'list'), 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line))) {
  try {
    const theirs = await inPage(item, 'wasm'), others = item.step ? await inPage(item, 'wasm', 'disabled') : undefined;
    const {outputs, calls} = await inPage(item, {name: 'webnn', deviceType: 'cpu'}), whole = calls.build === 1 && calls.dispatch === 1;
    whole ? passed++ : failed++;
    console.log(`${item.name}: ${whole ? '' : 'FAILED '}${calls.build} graph, ${calls.dispatch} dispatch, ${judge('its WebAssembly provider', item, outputs, theirs.outputs, others?.outputs)}, ${judge('C', item, outputs, byC(item), others?.outputs)}`);
  } catch (e) { failed++; console.log(`${item.name}: FAILED ${String(e.stderr || e.message).split('\n')[0].slice(0, 400)}`); }
}
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
