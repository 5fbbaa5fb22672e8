// node onnxruntime.mjs BUILD PACKAGES MODEL: onnxruntime-web's WebNN execution provider, unmodified, over our
// navigator.ml in Chromium, on an ONNX model; its results beside those of its own WebAssembly provider. The whole model
// must become one graph, and a run one dispatch.
import path from 'node:path';
import {openBrowser, serve} from './pages.mjs';

const [, , build, packages, model] = process.argv;
const ort = path.join(packages, 'node_modules/onnxruntime-web/dist');
const server = await serve(url => url === '/' ? '<!doctype html><meta charset=utf-8><script src=/binding/webnn.js></script><script src=/ort/ort.all.min.js></script>'
  : url.startsWith('/binding/') ? {file: path.join(build, path.basename(url))}
  : url.startsWith('/ort/') ? {file: path.join(ort, path.basename(url))}
  : url === '/model.onnx' ? {file: model} : undefined);
const browser = await openBrowser(packages), page = await browser.newPage();
let passed = 0, failed = 0;
const check = (name, right, why) => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };
try {
  await page.goto(server.origin);
  const r = await page.evaluate(async () => {
    const calls = {build: 0, dispatch: 0};
    for (const [I, name] of [[MLGraphBuilder, 'build'], [MLContext, 'dispatch']]) {
      const own = I.prototype[name];
      I.prototype[name] = function (...given) { calls[name]++; return own.apply(this, given); };
    }
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = '/ort/';
    ort.env.logLevel = 'error';
    const run = async provider => {
      const session = await ort.InferenceSession.create('/model.onnx', {executionProviders: [provider]});
      const results = [];
      for (let k = 0; k < 3; k++) {
        const feeds = {};
        for (const m of session.inputMetadata) {
          const n = m.shape.reduce((a, b) => a * b, 1);
          feeds[m.name] = new ort.Tensor(m.type, Float32Array.from({length: n}, (_, i) => Math.sin(i * 0.37 + k)), m.shape);
        }
        const out = await session.run(feeds);
        results.push(...Object.values(out).flatMap(t => [...t.data]));
      }
      return results;
    };
    const theirs = await run('wasm'), ours = await run({name: 'webnn', deviceType: 'cpu'});
    return {theirs, ours, calls};
  });
  const largest = Math.max(...r.theirs.map(Math.abs)), difference = Math.max(...r.theirs.map((x, i) => Math.abs(x - r.ours[i])));
  check('results', r.ours.length === r.theirs.length && difference <= 1e-5 * largest, `they differ by ${difference} of ${largest}`);
  check('graphs', r.calls.build === 1, `${r.calls.build} graphs were built for one model`);
  check('dispatches', r.calls.dispatch === 3, `3 runs were ${r.calls.dispatch} dispatches`);
  console.log(`onnxruntime-web over WebNN, ${path.basename(model)}: ${r.calls.build} graph, ${r.calls.dispatch} dispatches for 3 runs, largest difference ${difference.toExponential(1)} of ${largest.toPrecision(3)}`);
} catch (e) { check('onnxruntime-web', false, e.message.split('\n')[0]); }
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
