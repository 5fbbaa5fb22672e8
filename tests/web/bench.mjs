// node bench.mjs BUILD PACKAGES [TFJS] [--rounds N] [--only TEXT]: times of single layers beside onnxruntime-web's
// WebAssembly provider and TensorFlow.js' (XNNPACK), in Node on one thread, and of the start to the first result.
// The three take turns; a time is the least of all rounds, a ratio theirs divided by ours. The table is that of
// docs/bindings.md. TFJS: a folder with
// node_modules/@tensorflow/tfjs-core and tfjs-backend-wasm (npm). With --threads N instead our N threads beside one, both in
// the worker.
import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL, fileURLToPath} from 'node:url';
import {model} from './onnx.mjs';

const [build, packages, ...rest] = process.argv.slice(2), option = name => rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined;
const tfjs = rest[0] && !rest[0].startsWith('--') ? rest[0] : undefined, rounds = +(option('--rounds') ?? 7), only = option('--only') ?? '';

// [name, input, filter, stride, groups] of a convolution in nchw, or the sizes of a product.
const LAYERS = [
  ['3 to 32 channels, 3x3, stride 2, 224x224', {n: 1, i: 3, size: 224, o: 32, k: 3, s: 2}],
  ['depthwise 3x3, 32, 112x112', {n: 1, i: 32, size: 112, o: 32, k: 3, s: 1, depthwise: true}],
  ['1x1, 32 to 16, 112x112', {n: 1, i: 32, size: 112, o: 16, k: 1, s: 1}],
  ['1x1, 24 to 144, 56x56', {n: 1, i: 24, size: 56, o: 144, k: 1, s: 1}],
  ['depthwise 3x3, 144, 56x56', {n: 1, i: 144, size: 56, o: 144, k: 3, s: 1, depthwise: true}],
  ['1x1, 64 to 384, 14x14', {n: 1, i: 64, size: 14, o: 384, k: 1, s: 1}],
  ['1x1, 384 to 64, 14x14', {n: 1, i: 384, size: 14, o: 64, k: 1, s: 1}],
  ['depthwise 3x3, 384, 14x14', {n: 1, i: 384, size: 14, o: 384, k: 3, s: 1, depthwise: true}],
  ['1x1, 320 to 1280, 7x7', {n: 1, i: 320, size: 7, o: 1280, k: 1, s: 1}],
  ['3x3, 64 to 64, 56x56', {n: 1, i: 64, size: 56, o: 64, k: 3, s: 1}],
  ['convTranspose2d 4x4, stride 2, 32 to 3, 64x64', {n: 1, i: 32, size: 64, o: 3, k: 4, s: 2, transposed: true}],
  ['matmul 512', {m: 512}],
  ['matmul 128', {m: 128}],
];
const random = n => { let x = 12345; return Float32Array.from({length: n}, () => (x = (x * 1103515245 + 12345) & 0x7fffffff, x / 0x40000000 - 1)); };
const shapes = l => l.m ? {x: [l.m, l.m], w: [l.m, l.m]}
  : {x: [l.n, l.i, l.size, l.size], w: l.depthwise ? [l.o, 1, l.k, l.k] : l.transposed ? [l.i, l.o, l.k, l.k] : [l.o, l.i, l.k, l.k]};
const count = shape => shape.reduce((a, b) => a * b, 1);
const padding = l => l.k === 1 ? [0, 0] : l.s === 2 && !l.transposed ? [0, 1] : [1, 1];

// ---- Three ways to compute one layer: each returns {run: async () => Float32Array} --------------------------------

async function ours(l, nhwc, options = {thread: 'calling'}) {
  const {ml, MLGraphBuilder} = await import(pathToFileURL(path.resolve(build, 'webnn.mjs')));
  const context = await ml.createContext(options), builder = new MLGraphBuilder(context), s = shapes(l);
  const reorder = (data, shape, order) => { // a transposed copy
    const out = new Float32Array(data.length), steps = shape.map((_, d) => count(shape.slice(d + 1))), to = order.map(d => shape[d]);
    for (let i = 0; i < out.length; i++) { let rest = i, at = 0; for (let d = to.length - 1; d >= 0; d--) { at += rest % to[d] * steps[order[d]]; rest = Math.floor(rest / to[d]); } out[i] = data[at]; }
    return out;
  };
  const xShape = nhwc && !l.m ? [0, 2, 3, 1].map(d => s.x[d]) : s.x;
  const x = builder.input('x', {dataType: 'float32', shape: xShape});
  let wData = random(count(s.w)), wShape = s.w;
  if (nhwc && !l.m) { // ohwi, ihwo for depthwise, ohwi for the transposed
    const order = l.depthwise ? [1, 2, 3, 0] : l.transposed ? [1, 2, 3, 0] : [0, 2, 3, 1];
    wData = reorder(wData, s.w, order);
    wShape = order.map(d => s.w[d]);
  }
  const w = builder.constant({dataType: 'float32', shape: wShape}, wData), [begin, end] = l.m ? [] : padding(l);
  const y = l.m ? builder.matmul(x, w) : builder[l.transposed ? 'convTranspose2d' : 'conv2d'](x, w, {
    padding: [begin, end, begin, end], strides: [l.s, l.s], groups: l.depthwise ? l.i : 1, inputLayout: nhwc ? 'nhwc' : 'nchw',
    filterLayout: l.transposed ? (nhwc ? 'ohwi' : 'iohw') : nhwc ? (l.depthwise ? 'ihwo' : 'ohwi') : 'oihw'});
  const graph = await builder.build({y}), input = await context.createTensor({dataType: 'float32', shape: xShape, writable: true});
  const output = await context.createTensor({dataType: 'float32', shape: y.shape, readable: true});
  const data = nhwc && !l.m ? reorder(random(count(s.x)), s.x, [0, 2, 3, 1]) : random(count(s.x)), into = new Float32Array(count(y.shape));
  return {layout: y.shape, run: async () => {
    context.writeTensor(input, data);
    context.dispatch(graph, {x: input}, {y: output});
    await context.readTensor(output, into);
    return into;
  }};
}

function onnx(l) {
  const s = shapes(l), [begin, end] = l.m ? [] : padding(l);
  const attributes = l.m ? {} : {strides: [l.s, l.s], pads: [begin, begin, end, end], group: l.depthwise ? l.i : 1};
  return model(l.m ? 'MatMul' : l.transposed ? 'ConvTranspose' : 'Conv', attributes, [['x', s.x], ['w', s.w, random(count(s.w))]]);
}
async function onnxruntime(l) {
  const ort = await import(pathToFileURL(path.resolve(packages, 'node_modules/onnxruntime-web/dist/ort.node.min.mjs')));
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const session = await ort.InferenceSession.create(onnx(l), {executionProviders: ['wasm']}), s = shapes(l);
  const x = new ort.Tensor('float32', random(count(s.x)), s.x);
  return {run: async () => (await session.run({x})).y.data};
}
async function tensorflow(l) {
  const load = createRequire(path.resolve(tfjs, 'x.js')), tf = load('@tensorflow/tfjs-core'), wasm = load('@tensorflow/tfjs-backend-wasm');
  if (tf.getBackend() !== 'wasm') {
    wasm.setThreadsCount(1);
    await tf.setBackend('wasm');
    await tf.ready();
  }
  const s = shapes(l), data = random(count(s.x)), [begin, end] = l.m ? [] : padding(l), pads = [[0, 0], [begin, end], [begin, end], [0, 0]];
  const nchw = tf.tensor(random(count(s.w)), s.w), x = tf.transpose(tf.tensor(data, s.x), l.m ? [0, 1] : [0, 2, 3, 1]);
  const w = tf.transpose(nchw, l.m ? [0, 1] : l.depthwise ? [2, 3, 0, 1] : [2, 3, 1, 0]), values = x.dataSync();
  return {run: async () => {
    const input = tf.tensor(values, x.shape);
    const y = l.m ? tf.matMul(input, w) : l.transposed ? tf.conv2dTranspose(input, w, [1, l.size * 2, l.size * 2, l.o], l.s, 'same')
      : l.depthwise ? tf.depthwiseConv2d(input, w, l.s, pads) : tf.conv2d(input, w, l.s, pads);
    const out = y.dataSync();
    input.dispose();
    y.dispose();
    return out;
  }};
}

// ---- Start: a process that makes one product of 2 x 2 -------------------------------------------------------------

async function start(who) {
  const l = {m: 2}, began = performance.now();
  await (await {ours, onnxruntime, tensorflow}[who](l)).run();
  console.log(performance.now() - began);
  process.exit(0);
}
if (option('--start')) await start(option('--start'));

const mean = r => Math.exp(r.reduce((a, x) => a + Math.log(x), 0) / r.length).toFixed(2);
async function takeTurns(runs) { // the least time of each
  const least = Object.fromEntries(Object.keys(runs).map(way => [way, Infinity]));
  for (let r = 0; r < rounds; r++) {
    for (const [way, run] of Object.entries(runs)) {
      const until = performance.now() + 60;
      for (let n = 0; n < 3 || performance.now() < until; n++) {
        const began = performance.now();
        await run();
        least[way] = Math.min(least[way], performance.now() - began);
      }
    }
  }
  return least;
}
if (option('--threads')) {
  const threads = +option('--threads'), ratios = [];
  console.log(`| layer | 1 thread | ${threads} threads | ratio |\n| --- | ---: | ---: | ---: |`);
  for (const [name, l] of LAYERS) {
    if (!name.includes(only)) continue;
    const {one, more} = await takeTurns({one: (await ours(l, false, {threads: 1})).run, more: (await ours(l, false, {threads})).run});
    ratios.push(one / more);
    console.log(`| ${name} | ${one.toFixed(3)} | ${more.toFixed(3)} | ${(one / more).toFixed(2)} |`);
  }
  console.log(`geometric mean: ${mean(ratios)}`);
  process.exit(0);
}

const ways = {nchw: l => ours(l, false), nhwc: l => ours(l, true), 'ort-web': onnxruntime, ...tfjs ? {'tfjs': tensorflow} : {}};
console.log(`Node ${process.version}, ${os.cpus()[0].model}, ${os.cpus().length} processors, load ${os.loadavg()[0].toFixed(1)}, least of ${rounds} rounds, ${new Date().toISOString().slice(0, 10)}`);
console.log(`| layer | nchw, ms | nhwc, ms | onnxruntime-web |${tfjs ? ' TensorFlow.js |' : ''} onnxruntime-web / the better |${tfjs ? ' TensorFlow.js / nchw | TensorFlow.js / nhwc |' : ''}`);
console.log(`| --- |${' ---: |'.repeat(Object.keys(ways).length + 1 + (tfjs ? 2 : 0))}`);
const ratios = {ort: [], nchw: [], nhwc: []};
for (const [name, l] of LAYERS) {
  if (!name.includes(only)) continue;
  const runs = {};
  for (const [way, make] of Object.entries(ways)) runs[way] = (await make(l)).run;
  const [first, ...others] = await Promise.all(Object.entries(runs).filter(([way]) => way === 'nchw' || way === 'ort-web').map(async ([, run]) => Float32Array.from(await run())));
  for (const other of others) {
    const largest = first.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    if (first.length !== other.length || first.some((x, i) => Math.abs(x - other[i]) > 1e-4 * largest)) throw new Error(`${name}: other results`);
  }
  const least = await takeTurns(runs);
  const t = Object.values(least), better = Math.min(least.nchw, least.nhwc);
  ratios.ort.push(least['ort-web'] / better);
  if (tfjs) { ratios.nchw.push(least.tfjs / least.nchw); ratios.nhwc.push(least.tfjs / least.nhwc); }
  console.log(`| ${name} | ${t.map(x => x.toFixed(3)).join(' | ')} | ${ratios.ort.at(-1).toFixed(2)} |${tfjs ? ` ${ratios.nchw.at(-1).toFixed(2)} | ${ratios.nhwc.at(-1).toFixed(2)} |` : ''}`);
}
console.log(`geometric means: ort-web ${mean(ratios.ort)}${tfjs ? `, tfjs nchw ${mean(ratios.nchw)}, nhwc ${mean(ratios.nhwc)}` : ''}`);
for (const who of ['ours', 'onnxruntime', ...tfjs ? ['tensorflow'] : []]) {
  const times = [1, 2, 3, 4, 5].map(() => +execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...process.argv.slice(2), '--start', who], {stdio: ['ignore', 'pipe', 'ignore']}));
  console.log(`start to the first result, ${who}: ${Math.min(...times).toFixed(0)} ms`);
}
process.exit(0);
