// node bench_provider.mjs BUILD PACKAGES [NETWORKS] [--rounds N] [--only TEXT] [--thread worker|calling] [--warm MS] [--parts]:
// whole runs through onnxruntime-web's WebNN provider, unmodified, over our navigator.ml in a headless Chromium, beside its own
// WebAssembly provider: models of one operator in two sizes, or the networks of the folder NETWORKS (networks/networks.py). One
// thread each; the two take turns, a time is the median of all runs, a ratio theirs divided by ours. `dispatch`: dispatch() and
// readTensor() of one output, without the provider; `provider`: the provider without them, with calls that do nothing.
// --parts: where a run of ours spends its time, in ms. The last table is that of docs/bindings.md: medians of the models'
// times, and geometric means of the ratios.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {model} from './onnx.mjs';
import {openBrowser, serve} from './pages.mjs';

const [build, packages, ...rest] = process.argv.slice(2), option = name => rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined;
const folder = rest[0] && !rest[0].startsWith('--') ? rest[0] : undefined, rounds = +(option('--rounds') ?? 7), only = option('--only') ?? '', thread = option('--thread') ?? 'worker';
const ort = path.join(packages, 'node_modules/onnxruntime-web/dist');

// ---- Models of one operator: [operator, attributes, inputs of a size, types of the results] --------------------------

const random = (n, seed = 1) => { let x = seed * 12345; return Float32Array.from({length: n}, () => (x = (x * 1103515245 + 12345) & 0x7fffffff, x / 0x40000000 - 1)); };
const weights = (...shape) => ['w', shape, random(shape.reduce((a, b) => a * b, 1), 7)], list = (name, ...values) => [name, [values.length], BigInt64Array.from(values.map(BigInt))];
const SIZES = {small: {shape: [2, 8, 8, 8], n: 24, c: 8}, large: {shape: [1, 64, 56, 56], n: 256, c: 64}};
const same = (attributes = {}) => [attributes, s => [['x', s.shape]]], two = types => [{}, s => [['a', s.shape], ['b', s.shape]], types];
const OPERATORS = {
  ...Object.fromEntries('Abs Ceil Cos Elu Erf Exp Floor HardSigmoid HardSwish Identity LeakyRelu Log Neg Reciprocal Relu Round Sigmoid Sign Sin Softplus Softsign Sqrt Tan Tanh'.split(' ').map(op => [op, same()])),
  ...Object.fromEntries('Add Sub Mul Div Max Min Pow'.split(' ').map(op => [op, two()])),
  ...Object.fromEntries('Equal Greater Less'.split(' ').map(op => [op, two(['bool'])])),
  Clip: [{}, s => [['x', s.shape], ['lo', [], Float32Array.of(0)], ['hi', [], Float32Array.of(6)]]],
  Softmax: same({axis: -1}),
  LayerNormalization: [{axis: -1}, s => [['x', s.shape], weights(s.shape[3]), ['b', [s.shape[3]], random(s.shape[3])]]],
  ReduceSum: [{keepdims: 1}, s => [['x', s.shape], list('axes', 1)]],
  ReduceMean: same({axes: [2, 3], keepdims: 1}),
  ReduceMax: same({axes: [3], keepdims: 0}),
  ArgMax: [{axis: 1, keepdims: 0}, s => [['x', s.shape]], ['int64']],
  Transpose: same({perm: [0, 2, 3, 1]}),
  Concat: [{axis: 1}, s => [['a', s.shape], ['b', s.shape]]],
  Gather: [{axis: 1}, s => [['x', s.shape], list('i', 3, 0, 5)]],
  MatMul: [{}, s => [['x', [s.n, s.n]], weights(s.n, s.n)]],
  Gemm: [{transB: 1}, s => [['x', [s.n, s.n]], weights(s.n, s.n), ['c', [s.n], random(s.n)]]],
  Conv: [{pads: [1, 1, 1, 1]}, s => [['x', s.shape], weights(s.c, s.c, 3, 3)]],
  MaxPool: same({kernel_shape: [2, 2], strides: [2, 2]}),
};
function operators() {
  return Object.entries(OPERATORS).flatMap(([operator, [attributes, inputs, results]]) => Object.entries(SIZES).map(([size, s]) => {
    const all = inputs(s);
    return {name: `${operator}, ${size}`, url: `/models/${operator}-${size}`, bytes: model(operator, attributes, all, results), dimensions: {},
      inputs: all.filter(i => !i[2]).map(([name, shape]) => ({name, type: 'float32', shape}))};
  }));
}
const networks = () => fs.readFileSync(path.join(folder, 'list'), 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line)).map(item => ({...item, url: `/networks/${item.name}/model.onnx`, data: `/networks/${item.name}/`}));

// ---- In the page -----------------------------------------------------------------------------------------------------

async function measure({item, rounds, thread, warm}) {
  const {createContext} = ML.prototype, median = list => list.sort((a, b) => a - b)[list.length >> 1];
  ML.prototype.createContext = function (options) { return createContext.call(this, {...options, threads: 1, thread}); };
  Object.assign(ort.env.wasm, {numThreads: 1, wasmPaths: '/ort/'});
  ort.env.logLevel = 'error';
  const arrays = {float32: Float32Array, int64: BigInt64Array}, feeds = {};
  for (const {name, type, shape} of item.inputs) {
    const n = shape.reduce((a, b) => a * b, 1), given = item.data && await (await fetch(`${item.data}${encodeURIComponent(name)}.bin`)).arrayBuffer();
    feeds[name] = new ort.Tensor(type, given ? new arrays[type](given) : Float32Array.from({length: n}, (_, i) => 1.5 + Math.sin(i * 0.37)), shape);
  }
  const session = provider => ort.InferenceSession.create(item.url, {executionProviders: [provider], freeDimensionOverrides: item.dimensions});
  const sessions = {wasm: await session('wasm'), webnn: await session({name: 'webnn', deviceType: 'cpu'})}, times = {wasm: [], webnn: [], dispatch: [], provider: []};

  // The calls of the provider: what they take in one run, and how to do the run without it.
  const parts = {}, own = {}, calls = {}, read = new Map();
  for (const name of ['createTensor', 'writeTensor', 'dispatch', 'readTensor']) {
    own[name] = MLContext.prototype[name];
    MLContext.prototype[name] = function (...given) {
      const began = performance.now(), add = () => { parts[name] = (parts[name] ?? 0) + performance.now() - began; };
      calls[name] = {context: this, given};
      const result = own[name].apply(this, given);
      if (result instanceof Promise) result.then(add); else add();
      if (name === 'readTensor') result.then(data => read.set(given[0], data));
      return result;
    };
  }
  const results = {};
  for (const [way, s] of Object.entries(sessions)) { // until the engine has compiled what runs often
    for (let n = 0, until = performance.now() + warm; n < 3 || performance.now() < until; n++) results[way] = await s.run(feeds);
  }
  for (const name of Object.keys(parts)) parts[name] = 0;
  for (let n = 0; n < 5; n++) { const began = performance.now(); await sessions.webnn.run(feeds); parts.all = (parts.all ?? 0) + performance.now() - began; }
  Object.assign(MLContext.prototype, own);
  const {context, given} = calls.dispatch, output = Object.values(given[2])[0];
  const runs = {wasm: () => sessions.wasm.run(feeds), webnn: () => sessions.webnn.run(feeds), dispatch: async () => { context.dispatch(...given); await context.readTensor(output); }, provider: () => sessions.webnn.run(feeds)};
  const idle = {writeTensor() {}, dispatch() {}, readTensor: async tensor => read.get(tensor)}; // for the provider alone: calls that do nothing

  for (let r = 0; r < rounds; r++) for (const [way, run] of Object.entries(runs)) {
    if (way === 'provider') Object.assign(MLContext.prototype, idle);
    for (let n = 0, until = performance.now() + 30; n < 3 || performance.now() < until; n++) {
      const began = performance.now();
      await run();
      times[way].push(performance.now() - began);
    }
    Object.assign(MLContext.prototype, own);
  }
  let apart = 0, power = 0;
  for (const [name, {data}] of Object.entries(results.wasm)) data.forEach((x, i) => { apart = Math.max(apart, Math.abs(Number(x) - Number(results.webnn[name].data[i]))); power = Math.max(power, Math.abs(Number(x))); });
  for (const s of Object.values(sessions)) await s.release();
  return {...Object.fromEntries(Object.entries(times).map(([way, list]) => [way, median(list)])), parts: Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, v / 5])), apart: apart / (power || 1)};
}

// ---- The table -------------------------------------------------------------------------------------------------------

const items = (folder ? networks() : operators()).filter(item => item.name.includes(only)), models = new Map(items.map(item => [item.url, item.bytes]));
const server = await serve(url => url === '/' ? '<!doctype html><meta charset=utf-8><script src=/binding/webnn.js data-replace></script><script src=/ort/ort.all.min.js></script>'
  : url.startsWith('/binding/') ? {file: path.join(build, path.basename(url))} : url.startsWith('/ort/') ? {file: path.join(ort, path.basename(url))}
  : url.startsWith('/networks/') ? {file: path.join(folder, url.slice('/networks/'.length))} : models.has(url) ? Buffer.from(models.get(url)) : undefined);
const browser = await openBrowser(packages), PARTS = ['createTensor', 'writeTensor', 'dispatch', 'readTensor', 'all'];
const mean = r => Math.exp(r.reduce((a, x) => a + Math.log(x), 0) / r.length).toFixed(2), withParts = rest.includes('--parts');
console.log(`| model | wasm | webnn | ratio | dispatch | ratio | provider | ratio |${withParts ? ` ${PARTS.join(' | ')} |` : ''}\n| --- |${' ---: |'.repeat(7 + (withParts ? PARTS.length : 0))}`);
let failed = 0, page;
const measured = []; // {name, wasm, webnn, dispatch, provider}
for (const [i, item] of items.entries()) {
  if (folder || i % 16 === 0) {
    await page?.close();
    page = await browser.newPage();
    await page.goto(server.origin);
  }
  const {bytes, ...rest} = item;
  try {
    const t = await page.evaluate(measure, {item: rest, rounds, thread, warm: +(option('--warm') ?? 500)});
    if (!(t.apart <= (item.step ? 0.5 : 1e-4))) throw new Error(`other results: ${t.apart}`);
    measured.push({name: item.name, ...t});
    console.log(`| ${item.name} | ${t.wasm.toFixed(3)} | ${t.webnn.toFixed(3)} | ${(t.wasm / t.webnn).toFixed(2)} | ${t.dispatch.toFixed(3)} | ${(t.wasm / t.dispatch).toFixed(2)} | ${t.provider.toFixed(3)} | ${(t.wasm / t.provider).toFixed(2)} |${
      withParts ? ` ${PARTS.map(p => (t.parts[p] ?? 0).toFixed(3)).join(' | ')} |` : ''}`);
  } catch (e) { failed++; console.log(`| ${item.name} | FAILED: ${e.message.split('\n')[0].slice(0, 200)} |`); }
}

const OURS = ['webnn', 'dispatch', 'provider'], middle = list => list.sort((a, b) => a - b)[list.length >> 1];
const ratio = (some, way) => mean(some.map(t => t.wasm / t[way]));
function row(name, some) { // medians of their times, with the ratios
  const time = way => +middle(some.map(t => t[way])).toPrecision(3);
  console.log(`| ${name} | ${time('wasm')} | ${OURS.map(way => `${time(way)} | ${ratio(some, way)}`).join(' | ')} |`);
}
console.log(`\nChromium ${browser.version()}, ${os.cpus()[0].model}, ${os.cpus().length} processors, load ${os.loadavg()[0].toFixed(1)}, ${new Date().toISOString().slice(0, 10)}; ms`);
console.log(`| models | WebAssembly | webnn.h through the provider | ratio | without the provider | ratio | the provider alone | ratio |\n| --- |${' ---: |'.repeat(7)}`);
if (folder) for (const t of measured) row(t.name, [t]);
else for (const size of Object.keys(SIZES)) {
  const some = measured.filter(t => t.name.endsWith(size));
  if (some.length) row(`${some.length} ${size} ones`, some);
}
if (measured.length > 1) console.log(`| all ${measured.length} | | ${OURS.map(way => `| ${ratio(measured, way)}`).join(' | ')} |`);
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
