// Every operator with every option, and everything beside operators, in TypeScript: types.mjs gives it to the compiler and
// to Node, which runs it. What is global where there is a DOM is not used, so that it is compiled without one, too.
import * as webnn from '../../examples/build/web/webnn.mjs';
import {ml, MLGraphBuilder, MLContext, MLGraph, MLOperand, MLTensor, extensions, interfaces, install} from '../../examples/build/web/webnn.mjs';
import type {MLContextOptions, MLConv2dOptions, MLOperandDescriptor, MLOpSupportLimits, MLTensorDescriptor, WebnnComparison, WebnnMemory} from '../../examples/build/web/webnn.mjs';

function check(right: boolean, what: string) { if (!right) throw new Error(what); }
const f32 = (...shape: number[]): MLOperandDescriptor => ({dataType: 'float32', shape});

const options: MLContextOptions = {powerPreference: 'default', accelerated: false, numerics: 'fast', thread: 'worker', threads: 1};
const context: MLContext = await ml.createContext(options);
const limits: MLOpSupportLimits = context.opSupportLimits();
check(limits.matmul?.a?.dataTypes?.includes('float16') === true && (limits.input?.rankRange?.max ?? 0) >= 5 && (limits.maxTensorByteLength ?? 0) > 1e9, 'limits');

// An operator with the shape that it must have.
async function build(name: string, shape: readonly number[], make: (b: MLGraphBuilder, c: (...shape: number[]) => MLOperand) => MLOperand | MLOperand[]) {
  const b = new MLGraphBuilder(context), made = make(b, (...s) => b.constant(f32(...s), new Float32Array(s.reduce((n, d) => n * d, 1)).fill(0.5)));
  const outputs: MLOperand[] = Array.isArray(made) ? made : [made];
  check(outputs[0]?.shape.join() === shape.join(), `${name}: ${outputs[0]?.shape}`);
  const graph: MLGraph = await b.build(Object.fromEntries(outputs.map((o, i) => [`y${i}`, o])));
  graph.destroy();
}
const label = 'here', axes = new Uint32Array([1]); // any iterable of numbers will do
const of = (b: MLGraphBuilder, type: 'int32' | 'int64' | 'uint8', shape: number[], ...values: number[]) =>
  b.constant({dataType: type, shape}, type === 'int32' ? Int32Array.from(values) : type === 'uint8' ? Uint8Array.from(values) : BigInt64Array.from(values.map(BigInt)));

for (const op of ['abs', 'ceil', 'cos', 'erf', 'exp', 'floor', 'gelu', 'hardSwish', 'identity', 'log', 'neg', 'reciprocal', 'relu', 'roundEven', 'sigmoid', 'sign',
  'sin', 'softplus', 'softsign', 'sqrt', 'tan', 'tanh'] as const) await build(op, [2, 3], (b, c) => b[op](c(2, 3), {label}));
for (const op of ['add', 'sub', 'mul', 'div', 'max', 'min', 'pow'] as const) await build(op, [2, 3], (b, c) => b[op](c(2, 3), c(3), {label}));
for (const op of ['equal', 'notEqual', 'greater', 'greaterOrEqual', 'lesser', 'lesserOrEqual'] as const) await build(op, [2, 3], (b, c) => b[op](c(2, 3), c(3), {label}));
for (const op of ['isNaN', 'isInfinite'] as const) await build(op, [2], (b, c) => b[op](c(2), {label}));
for (const op of ['logicalAnd', 'logicalOr', 'logicalXor'] as const) await build(op, [2], b => b[op](of(b, 'uint8', [2], 0, 1), of(b, 'uint8', [1], 1), {label}));
for (const op of ['reduceL1', 'reduceL2', 'reduceLogSum', 'reduceLogSumExp', 'reduceMax', 'reduceMean', 'reduceMin', 'reduceProduct', 'reduceSum', 'reduceSumSquare'] as const) {
  await build(op, [2, 1], (b, c) => b[op](c(2, 3), {axes, keepDimensions: true, label}));
}
for (const op of ['averagePool2d', 'l2Pool2d', 'maxPool2d'] as const) {
  await build(op, [1, 3, 3, 2], (b, c) => b[op](c(1, 5, 5, 2), {windowDimensions: [2, 2], padding: [0, 0, 0, 0], strides: [2, 2], dilations: [1, 1], layout: 'nhwc',
    outputShapeRounding: 'ceil', label}));
  await build(op, [1, 2, 2, 2], (b, c) => b[op](c(1, 2, 5, 5), {windowDimensions: [2, 2], strides: [2, 2], outputSizes: [2, 2]}));
}
for (const op of ['argMin', 'argMax'] as const) await build(op, [1, 3], (b, c) => b[op](c(2, 3), 0, {keepDimensions: true, outputDataType: 'int64', label}));
for (const op of ['gather', 'gatherElements'] as const) await build(op, [2, 2], (b, c) => b[op](c(2, 3), of(b, 'int64', op === 'gather' ? [2] : [2, 2], 2, 0, ...op === 'gather' ? [] : [1, 1]), {axis: 1, label}));
const q = (b: MLGraphBuilder) => [b.constant(f32(1), Float32Array.of(0.1)), of(b, 'uint8', [1], 3)] as const;

await build('batchNormalization', [2, 3], (b, c) => b.batchNormalization(c(2, 3), c(3), c(3), {scale: c(3), bias: c(3), axis: 1, epsilon: 1e-5, label}));
await build('cast', [2], (b, c) => b.cast(c(2), 'float16', {label}));
await build('clamp', [2], (b, c) => b.clamp(c(2), {minValue: 0, maxValue: 6, label}));
await build('clamp', [2], b => b.clamp(of(b, 'int64', [2], -1, 1), {minValue: 0n, maxValue: 2n ** 62n}));
await build('concat', [4, 3], (b, c) => b.concat([c(1, 3), c(3, 3)], 0, {label}));
const conv: MLConv2dOptions = {padding: [1, 1, 1, 1], strides: [1, 1], dilations: [1, 1], groups: 1, inputLayout: 'nhwc', filterLayout: 'ohwi', label};
await build('conv2d', [1, 5, 5, 4], (b, c) => b.conv2d(c(1, 5, 5, 2), c(4, 3, 3, 2), {...conv, bias: c(4)}));
await build('convTranspose2d', [1, 4, 6, 6], (b, c) => b.convTranspose2d(c(1, 2, 3, 3), c(2, 4, 2, 2), {padding: [0, 0, 0, 0], strides: [2, 2], dilations: [1, 1], outputPadding: [0, 0],
  groups: 1, inputLayout: 'nchw', filterLayout: 'iohw', bias: c(4), label}));
await build('convTranspose2d', [1, 4, 7, 7], (b, c) => b.convTranspose2d(c(1, 2, 3, 3), c(2, 4, 2, 2), {strides: [2, 2], outputSizes: [7, 7]}));
await build('cumulativeSum', [2, 3], (b, c) => b.cumulativeSum(c(2, 3), 1, {exclusive: true, reversed: true, label}));
await build('dequantizeLinear', [2], b => b.dequantizeLinear(of(b, 'uint8', [2], 1, 2), ...q(b), {label}));
await build('quantizeLinear', [2], (b, c) => b.quantizeLinear(c(2), ...q(b), {label}));
await build('elu', [2], (b, c) => b.elu(c(2), {alpha: 0.5, label}));
await build('expand', [2, 3], (b, c) => b.expand(c(3), [2, 3], {label}));
await build('gatherND', [2], (b, c) => b.gatherND(c(2, 3), of(b, 'int64', [2, 2], 0, 0, 1, 2), {label}));
await build('gemm', [3, 4], (b, c) => b.gemm(c(2, 3), c(4, 2), {c: c(4), alpha: 2, beta: 0.5, aTranspose: true, bTranspose: true, label}));
await build('gru', [1, 2, 4], (b, c) => b.gru(c(5, 2, 3), c(1, 12, 3), c(1, 12, 4), 5, 4, {bias: c(1, 12), recurrentBias: c(1, 12), initialHiddenState: c(1, 2, 4), resetAfter: true,
  returnSequence: true, direction: 'backward', layout: 'rzn', activations: ['sigmoid', 'tanh'], label}));
await build('gruCell', [2, 4], (b, c) => b.gruCell(c(2, 3), c(12, 3), c(12, 4), c(2, 4), 4, {bias: c(12), recurrentBias: c(12), resetAfter: false, layout: 'zrn', activations: ['sigmoid', 'relu'], label}));
await build('hardSigmoid', [2], (b, c) => b.hardSigmoid(c(2), {alpha: 0.1, beta: 0.4, label}));
await build('instanceNormalization', [1, 2, 2, 3], (b, c) => b.instanceNormalization(c(1, 2, 2, 3), {scale: c(3), bias: c(3), epsilon: 1e-5, layout: 'nhwc', label}));
await build('layerNormalization', [2, 3], (b, c) => b.layerNormalization(c(2, 3), {scale: c(3), bias: c(3), axes: [1], epsilon: 1e-5, label}));
await build('leakyRelu', [2], (b, c) => b.leakyRelu(c(2), {alpha: 0.1, label}));
await build('linear', [2], (b, c) => b.linear(c(2), {alpha: 2, beta: 1, label}));
await build('logicalNot', [2], b => b.logicalNot(of(b, 'uint8', [2], 0, 1), {label}));
await build('lstm', [1, 2, 4], (b, c) => b.lstm(c(5, 2, 3), c(1, 16, 3), c(1, 16, 4), 5, 4, {bias: c(1, 16), recurrentBias: c(1, 16), peepholeWeight: c(1, 12), initialHiddenState: c(1, 2, 4),
  initialCellState: c(1, 2, 4), returnSequence: true, direction: 'forward', layout: 'ifgo', activations: ['sigmoid', 'tanh', 'tanh'], label}));
await build('lstmCell', [2, 4], (b, c) => b.lstmCell(c(2, 3), c(16, 3), c(16, 4), c(2, 4), c(2, 4), 4, {bias: c(16), recurrentBias: c(16), peepholeWeight: c(12), layout: 'iofg',
  activations: ['sigmoid', 'tanh', 'tanh'], label}));
await build('matmul', [2, 4], (b, c) => b.matmul(c(2, 3), c(3, 4), {label}));
await build('pad', [3, 5], (b, c) => b.pad(c(2, 3), [1, 1], [0, 1], {mode: 'constant', value: 7, label}));
await build('prelu', [2, 3], (b, c) => b.prelu(c(2, 3), c(3), {label}));
await build('resample2d', [1, 1, 4, 6], (b, c) => b.resample2d(c(1, 1, 2, 3), {mode: 'linear', scales: [2, 2], axes: [2, 3], label}));
await build('resample2d', [1, 1, 3, 3], (b, c) => b.resample2d(c(1, 1, 2, 3), {mode: 'nearest-neighbor', sizes: [3, 3]}));
await build('reshape', [3, 2], (b, c) => b.reshape(c(2, 3), [3, 2], {label}));
await build('reshape', [2, 3], (b, c) => { const x = c(2, 3); return b.reshape(b.reshape(x, [6]), x.shape); }); // what an operand has is what an operator takes
await build('reverse', [2, 3], (b, c) => b.reverse(c(2, 3), {axes: new Set([1]), label}));
await build('scatterElements', [2, 3], (b, c) => b.scatterElements(c(2, 3), of(b, 'int32', [1, 3], 0, 1, 0), c(1, 3), {axis: 0, label}));
await build('scatterND', [2, 3], (b, c) => b.scatterND(c(2, 3), of(b, 'int32', [1, 1], 1), c(1, 3), {label}));
await build('slice', [1, 2], (b, c) => b.slice(c(2, 3), [1, 0], [1, 3], {strides: [1, 2], label}));
await build('softmax', [2, 3], (b, c) => b.softmax(c(2, 3), 1, {label}));
await build('split', [2, 1], (b, c) => b.split(c(2, 3), [1, 2], {axis: 1, label}));
await build('split', [1, 3], (b, c) => b.split(c(2, 3), 2));
await build('tile', [4, 3], (b, c) => b.tile(c(2, 3), [2, 1], {label}));
await build('transpose', [3, 2], (b, c) => b.transpose(c(2, 3), {permutation: [1, 0], label}));
await build('triangular', [3, 3], (b, c) => b.triangular(c(3, 3), {upper: false, diagonal: -1, label}));
await build('where', [2, 3], (b, c) => b.where(of(b, 'uint8', [3], 0, 1, 1), c(2, 3), c(1, 3), {label}));

// Tensors, constants of three kinds, extensions.
const descriptor: MLTensorDescriptor = {...f32(2), readable: true, writable: true};
const x: MLTensor = await context.createTensor(descriptor), y = await context.createTensor(descriptor), w = await context.createConstantTensor(f32(2), Float32Array.of(1, 2));
const builder = new MLGraphBuilder(context), input = builder.input('x', f32(2));
const sum = builder.add(builder.add(input, builder.constant(w)), builder.add(builder.constant('float32', 1), builder.constant(f32(1), Float32Array.of(1).buffer)));
const graph = await builder.build({y: sum});
check(input.dataType === 'float32' && x.shape[0] === 2 && x.readable && x.writable && !x.constant && w.constant, 'attributes');
if (typeof SharedArrayBuffer === 'function') context.writeTensor(x, new Float32Array(new SharedArrayBuffer(8)));
context.writeTensor(x, Float32Array.of(3, 4));
await extensions.profile(graph, true);
context.dispatch(graph, {x}, {y});
const out = new Float32Array(2), nothing: void = await context.readTensor(y, out), bytes: ArrayBuffer = await context.readTensor(y);
check(nothing === undefined && out.join() === '6,8' && new Float32Array(bytes).join() === '6,8', 'results');
const memory: WebnnMemory = extensions.memory(graph), compared: WebnnComparison = extensions.compare('float32', out, Float32Array.of(6, 9), {atol: 0.5, ulp: 4});
check(memory.description > 0 && memory.constants + memory.prepared + memory.arena + memory.intermediates >= 0, 'memory');
check(compared.count === 2 && compared.different === 1 && compared.failed === 1 && compared.firstDifferent === 1 && compared.firstFailed === 1 && compared.maxUlp > 0 && compared.maxUlpIndex === 1
  && compared.meanUlp > 0 && compared.maxAbsolute === 1, 'compare');
const texts: string[] = [extensions.print(graph), extensions.dot(graph), await extensions.profile(graph), await extensions.steps(graph)];
check(texts.every(t => t.length > 0), 'texts');
const place: 'worker' | 'calling' = extensions.thread(context), {threads, helped} = await extensions.threads(context), {objects, module} = extensions.held();
check(place === 'worker' && threads === 1 && helped === 0 && objects > 0 && module > 0, 'threads and memory');
const calling = await ml.createContext({thread: 'calling', numerics: 'reference'}), seen = await calling.createTensor(f32(3));
check(extensions.view(seen).byteLength === 12, 'view');

// What builders have beyond the interface.
const open = new MLGraphBuilder(context), n: number = extensions.dimension(open, 'n'), any: number = extensions.dimension(open), named: string | undefined = extensions.dimensionName(open, n);
const cache = open.input('cache', f32(n, 2)), more = open.input('more', f32(n, any)), sizes: MLOperand = extensions.shape(open, cache, {label}), axis = open.constant({dataType: 'uint32', shape: [2]}, Uint32Array.of(1, 1));
const parts: MLOperand[] = extensions.splitDynamic(open, cache, axis, {axis: 1}), doubled = extensions.donate(open, cache, open.add(cache, cache)), flat: MLOperand = extensions.reshapeDynamic(open, more, sizes);
const opened = await open.build({doubled, part: parts[1]!, flat, all: extensions.squeeze(open, parts[0]!)}), found: Record<string, number[]> = extensions.computeShapes(opened, {cache: [3, 2], more: new Uint32Array([3, 2])});
check(named === 'n' && found.doubled?.join() === '3,2' && found.part?.join() === '3,1' && found.all?.join() === '3', 'open sizes');

// The interfaces are values, too.
const anything: unknown = graph;
check(anything instanceof MLGraph && context instanceof MLContext && input instanceof MLOperand && x instanceof MLTensor && builder instanceof interfaces.MLGraphBuilder, 'instanceof');
const world: {navigator: {ml?: webnn.ML}} = {navigator: {}};
check(install(world, {replace: false}) === ml && world.navigator.ml === ml && ml instanceof webnn.ML, 'install');
webnn.configure({wasm: new Uint8Array(8), threadsWasm: Promise.resolve(new ArrayBuffer(8))}); // too late to matter
calling.destroy();
[x, y, w, seen].forEach(t => t.destroy());
graph.destroy();
context.destroy();
const message: string | undefined = (await context.lost).message;
check(typeof message === 'string' && context.accelerated === false, 'lost');
