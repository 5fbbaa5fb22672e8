// What threads may not change, in Node (own.mjs) and in a page (threads_chromium.mjs): every output of several graphs to the
// bit, errors, destroy, many dispatches, a memory that grows. `check(name, right, why)`.
const count = shape => shape.reduce((a, b) => a * b, 1);
const random = (n, seed) => { let x = seed; return Float32Array.from({length: n}, () => (x = (x * 1103515245 + 12345) & 0x7fffffff, x / 0x40000000 - 1)); };
const f32 = (...shape) => ({dataType: 'float32', shape});

// [name, shape of the input, (builder, input, constant of a shape) => outputs], each of enough work to be divided.
const GRAPHS = [
  ['matmul', [300, 200], (b, x, w) => ({y: b.matmul(x, w(200, 210))})],
  ['gemm', [129, 333], (b, x, w) => ({y: b.gemm(x, w(97, 333), {c: w(97), bTranspose: true, alpha: 0.5})})],
  ['conv2d', [1, 16, 57, 57], (b, x, w) => ({y: b.relu(b.conv2d(x, w(33, 16, 3, 3), {padding: [1, 1, 1, 1], bias: w(33)}))})],
  ['conv2d of nhwc', [1, 45, 45, 24], (b, x, w) => ({y: b.conv2d(x, w(40, 1, 1, 24), {inputLayout: 'nhwc', filterLayout: 'ohwi'})})],
  ['depthwise', [1, 96, 57, 57], (b, x, w) => ({y: b.clamp(b.conv2d(x, w(96, 1, 3, 3), {groups: 96, strides: [2, 2]}), {minValue: 0, maxValue: 6})})],
  ['convTranspose2d', [1, 24, 33, 33], (b, x, w) => ({y: b.convTranspose2d(x, w(24, 5, 4, 4), {strides: [2, 2], padding: [1, 1, 1, 1]})})],
  ['pools', [1, 32, 113, 113], (b, x) => ({a: b.averagePool2d(x, {windowDimensions: [3, 3]}), m: b.maxPool2d(x, {windowDimensions: [2, 2], strides: [2, 2]}), l: b.l2Pool2d(x)})],
  ['elementwise', [7, 50021], (b, x) => ({y: b.tanh(b.mul(b.sigmoid(x), b.erf(x))), z: b.gelu(x), e: b.exp(b.neg(x))})],
  ['softmax and normalizations', [1, 37, 101, 101], (b, x) => ({s: b.softmax(x, 3), l: b.layerNormalization(x, {axes: [2, 3]}), i: b.instanceNormalization(x)})],
  ['reductions', [301, 1999], (b, x) => ({s: b.reduceSum(x), r: b.reduceMean(x, {axes: [1]}), c: b.reduceLogSumExp(x, {axes: [0]}), m: b.argMax(x, 1), t: b.cumulativeSum(x, 1)})],
  ['moves', [64, 128, 65], (b, x) => ({t: b.transpose(x, {permutation: [2, 0, 1]}), p: b.pad(x, [1, 2, 3], [3, 2, 1], {mode: 'reflection'}), r: b.concat([x, b.reverse(x)], 1)})],
  ['resample2d', [1, 8, 61, 67], (b, x) => ({l: b.resample2d(x, {sizes: [190, 170], mode: 'linear'}), n: b.resample2d(x, {scales: [3, 2]})})],
  ['float16', [1, 16, 50, 50], (b, x, w) => { const h = b.cast(x, 'float16'); return {y: b.conv2d(h, b.cast(w(32, 16, 3, 3), 'float16')), e: b.sqrt(b.abs(h))}; }],
  ['8 bits', [200, 256], (b, x, w) => {
    const scale = b.reshape(b.constant('float32', 0.01), [1, 1]), zero = b.reshape(b.constant('int8', 3), [1, 1]), q = v => b.dequantizeLinear(b.quantizeLinear(v, scale, zero), scale, zero);
    return {y: b.quantizeLinear(b.matmul(q(x), q(w(256, 128))), scale, zero)};
  }],
  ['lstm', [12, 8, 64], (b, x, w) => Object.fromEntries(b.lstm(x, w(1, 384, 64), w(1, 384, 96), 12, 96, {bias: w(1, 384), returnSequence: true}).map((o, i) => [`y${i}`, o]))],
  ['attention', [1, 4, 128, 64], (b, x) => ({y: b.matmul(b.softmax(b.mul(b.matmul(x, b.transpose(x, {permutation: [0, 1, 3, 2]})), b.constant('float32', 0.125)), 3), x)})],
];

// What is not an output of a builder has no place in the IDL's types; the tensors of a graph by its operands.
async function prepare({MLGraphBuilder}, context, [, shape, make]) {
  const builder = new MLGraphBuilder(context), outputs = make(builder, builder.input('x', f32(...shape)), (...s) => builder.constant(f32(...s), random(count(s), count(s))));
  const graph = await builder.build(outputs), x = await context.createTensor({...f32(...shape), writable: true}), to = {};
  for (const [name, o] of Object.entries(outputs)) to[name] = await context.createTensor({dataType: o.dataType, shape: [...o.shape], readable: true});
  return {
    write: seed => context.writeTensor(x, random(count(shape), seed)),
    dispatch: () => context.dispatch(graph, {x}, to),
    read: async () => Object.fromEntries(await Promise.all(Object.entries(to).map(async ([name, t]) => [name, new Uint8Array(await context.readTensor(t))]))),
    destroy() { graph.destroy(); x.destroy(); Object.values(to).forEach(t => t.destroy()); },
  };
}
const sameBytes = (a, b) => Object.keys(a).length === Object.keys(b).length && Object.keys(a).every(k => a[k].length === b[k].length && a[k].every((v, i) => v === b[k][i]));
async function result(webnn, context, graph, seed = 7) {
  const g = await prepare(webnn, context, graph);
  g.write(seed);
  g.dispatch();
  const r = await g.read();
  g.destroy();
  return r;
}

export async function testThreads(webnn, check) {
  const {ml, extensions} = webnn, raises = async (name, kind, f) => { try { await f(); check(name, false, 'nothing was raised'); } catch (e) { check(name, e.name === kind, String(e)); } };
  for (const [numerics, graphs] of [['fast', GRAPHS], ['reference', GRAPHS.slice(4, 8)]]) {
    const contexts = [];
    for (const threads of [1, 2, 3]) contexts.push(await ml.createContext({threads, numerics}));
    const numbers = [];
    for (const c of contexts) numbers.push((await extensions.threads(c)).threads);
    check(`threads, ${numerics}`, `${numbers}` === '1,2,3', numbers);
    for (const graph of graphs) {
      const [one, ...more] = await Promise.all(contexts.map(c => result(webnn, c, graph)));
      check(`${graph[0]}: something is computed`, Object.values(one).every(bytes => bytes.length > 0 && bytes.some(v => v !== bytes[0])));
      more.forEach((r, i) => check(`${graph[0]}, ${numerics}: ${i + 2} threads have other bits than one`, sameBytes(one, r)));
    }
    for (const c of contexts.slice(1)) check(`${numerics}: the helpers have helped`, (await extensions.threads(c)).helped > 0);
    for (const c of contexts) c.destroy();
  }

  // A thousand dispatches, and a memory that grows between some of them.
  const own = await ml.createContext({threads: 3}), single = await ml.createContext({threads: 1}), graph = ['', [64, 256], (b, x, w) => ({y: b.softmax(b.matmul(x, w(256, 256)), 1)})];
  const g = await prepare(webnn, own, graph), expected = [await result(webnn, single, graph, 1), await result(webnn, single, graph, 2)], tensors = [], before = extensions.held().module;
  let right = 0;
  for (let i = 0; i < 1000; i++) {
    g.write(1 + i % 2);
    g.dispatch();
    if (i % 50 < 2 && sameBytes(await g.read(), expected[i % 2])) right++;
    if (i % 100 === 99) tensors.push(await own.createTensor(f32(1 << 22)));
  }
  check('1,000 dispatches while the memory grows', right === 40 && extensions.held().module - before > 32 << 20, `${right} of 40, ${extensions.held().module - before} bytes more`);
  tensors.forEach(t => t.destroy());

  // Errors leave the threads as they were; and a context that is destroyed while its graphs run.
  const large = await prepare(webnn, own, GRAPHS[2]);
  await raises('two small buffers', 'TypeError', async () => own.writeTensor(await own.createTensor({...f32(2), writable: true}), new Float32Array(1)));
  await raises('a tensor of 16 GB', 'TypeError', () => own.createTensor(f32(2 ** 32 - 1)));
  check('after errors', sameBytes(await result(webnn, own, graph, 2), expected[1]));
  large.write(3);
  for (let i = 0; i < 20; i++) large.dispatch();
  const reading = large.read();
  own.destroy();
  await raises('destroyed while it runs', 'InvalidStateError', () => reading);
  const next = await ml.createContext({threads: 3});
  check('a context after it', sameBytes(await result(webnn, next, graph, 1), expected[0]));
  single.destroy();
  next.destroy();

  // The option.
  for (const threads of [-1, 65, 2 ** 32, NaN, 'x', 1n, {}, Symbol.iterator]) await raises(`threads: ${String(threads)}`, 'TypeError', () => ml.createContext({threads}));
  const chosen = await ml.createContext(), calling = await ml.createContext({thread: 'calling', threads: 3});
  check('as many as processors', (await extensions.threads(chosen)).threads === Math.min(globalThis.navigator?.hardwareConcurrency ?? process.getBuiltinModule('node:os').availableParallelism(), 4));
  check('the calling thread is one', (await extensions.threads(calling)).threads === 1);
  chosen.destroy();
  await raises('threads of a destroyed context', 'InvalidStateError', () => extensions.threads(chosen));
  await raises('threads of no context', 'TypeError', () => extensions.threads({}));
}
