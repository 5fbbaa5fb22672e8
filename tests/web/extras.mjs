// node extras.mjs BUILD: what the binding has beyond the Web IDL for builders: inputs whose tensors are given away, open
// sizes, and operators that take sizes as operands. Each in a worker with shared memory, in one without, and on the
// calling thread, where it has to do the same.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const build = path.resolve(process.argv[2]), module = pathToFileURL(path.join(build, 'webnn.mjs')).href;
const shared = await import(module), plain = await import(`${module}?plain`);
plain.configure({wasm: fs.readFileSync(path.join(build, 'webnn.wasm'))});
const table = JSON.parse(fs.readFileSync(path.join(build, 'table.json'), 'utf8'));
let passed = 0, failed = 0, where;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${where}: ${name}: ${why}`)); };
const raises = async (name, kind, words, f) => {
  try { await f(); check(name, false, 'nothing was raised'); } catch (e) { check(name, e.name === kind && e.message.includes(words), `${e.name}: ${e.message}`); }
};
const same = (name, a, b) => check(name, JSON.stringify(a) === JSON.stringify(b), `${JSON.stringify(a)} is not ${JSON.stringify(b)}`);

// What works on a context: its tensors by data, its runs.
function kit({MLGraphBuilder, extensions}, context) {
  const KINDS = {float32: Float32Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array};
  const tensor = async (shape, values, dataType = 'float32') => {
    const t = await context.createTensor({dataType, shape, readable: true, writable: true});
    if (values) context.writeTensor(t, KINDS[dataType].from(values));
    return t;
  };
  const read = async t => [...new KINDS[t.dataType](await context.readTensor(t))].map(Number);
  const counting = n => Array.from({length: n}, (_, i) => i);
  return {MLGraphBuilder, extensions, context, tensor, read, counting, f32: (...shape) => ({dataType: 'float32', shape})};
}

async function testDonation({MLGraphBuilder, extensions, context, tensor, read, f32}) {
  const b = new MLGraphBuilder(context), other = new MLGraphBuilder(context), cache = b.input('cache', f32(4, 2)), row = b.input('row', f32(1, 2)), index = b.input('index', {dataType: 'int32', shape: [1, 1]});
  const changed = b.scatterND(cache, index, row);
  await raises('of another builder', 'TypeError', 'input is of another builder', () => extensions.donate(b, other.input('x', f32(4, 2)), changed));
  await raises('no operand', 'TypeError', 'output is not of type MLOperand', () => extensions.donate(b, cache, {}));
  await raises('no builder', 'TypeError', 'Illegal', () => extensions.donate(context, cache, changed));
  await raises('no input', 'TypeError', 'input must be an input of the graph', () => extensions.donate(b, changed, b.relu(changed)));
  await raises('another shape', 'TypeError', 'donate: input "row"', () => extensions.donate(b, row, changed));
  check('donate returns the output', extensions.donate(b, cache, changed) === changed);
  await raises('twice', 'TypeError', 'input "cache" is donated already', () => extensions.donate(b, cache, b.relu(cache)));
  const graph = await b.build({changed}), one = await tensor([4, 2], new Array(8).fill(0)), two = await tensor([4, 2]), r = await tensor([1, 2], [5, 6]), i = await tensor([1, 1], [2], 'int32');
  context.dispatch(graph, {cache: one, row: r, index: i}, {changed: two});
  same('two tensors', [await read(one), await read(two)], [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 5, 6, 0, 0]]);
  for (let n = 0; n < 4; n++) { // soon without the worker
    context.writeTensor(i, Int32Array.of(n));
    context.dispatch(graph, {cache: one, row: r, index: i}, {changed: one});
    same('one tensor', (await read(one)).slice(2 * n, 2 * n + 2), [5, 6]);
  }
  await raises('not given away', 'TypeError', 'dispatch', () => context.dispatch(graph, {cache: two, row: one, index: i}, {changed: one}));
  {
    const c = new MLGraphBuilder(context), x = c.input('x', f32(2));
    extensions.donate(c, x, c.relu(x));
    await raises('to what is no output', 'TypeError', 'must be donated to an output of the graph', () => c.build({y: c.abs(x)}));
  }
  const c = new MLGraphBuilder(context), x = c.input('x', f32(2)), y = c.input('y', f32(2)), z = c.abs(y);
  const given = await c.build({z: extensions.donate(c, x, z)}), d = await tensor([2], [-3, 4]), e = await tensor([2]);
  context.dispatch(given, {y: d}, {z: e});
  same('an input that no output needs is none of the graph', await read(e), [3, 4]);
}

async function testSizes({MLGraphBuilder, extensions, context, tensor, read, counting, f32}) {
  const b = new MLGraphBuilder(context);
  await raises('a number that is too large', 'TypeError', 'a dimension (3221225472) must be', () => b.input('x', f32(0xc0000000)));
  const batch = extensions.dimension(b, 'batch'), any = extensions.dimension(b);
  check('a name once more', extensions.dimension(b, 'batch') === batch && batch !== any && extensions.dimension(b, 'Batch') !== batch);
  same('names', [extensions.dimensionName(b, batch), extensions.dimensionName(b, any), extensions.dimensionName(b, 3)], ['batch', '', undefined]);
  await raises('an empty name', 'TypeError', 'the name is empty', () => extensions.dimension(b, ''));
  await raises('a name of another builder', 'TypeError', 'must be 1 to', () => new MLGraphBuilder(context).input('x', f32(batch)));
  const x = b.input('x', f32(batch, any, 3)), y = b.input('y', f32(batch, 1, 3)), total = b.add(x, y), flat = b.reshape(total, [batch, 6]);
  same('shapes', [x.shape, total.shape[0], flat.shape], [[batch, any, 3], batch, [batch, 6]]);
  await raises('certainly wrong', 'TypeError', '', () => b.add(x, b.input('z', f32(4))));
  await raises('a tensor', 'TypeError', 'createTensor', () => context.createTensor(f32(batch)));
  const graph = await b.build({total, flat});
  same('computeShapes', extensions.computeShapes(graph, {x: [5, 2, 3], y: new Uint32Array([5, 1, 3])}), {total: [5, 2, 3], flat: [5, 6]});
  await raises('shapes that do not fit', 'TypeError', 'batch', () => extensions.computeShapes(graph, {x: [5, 2, 3], y: [4, 1, 3]}));
  await raises('a shape is missing', 'TypeError', '"y"', () => extensions.computeShapes(graph, {x: [5, 2, 3]}));
  await raises('no such input', 'TypeError', '"z"', () => extensions.computeShapes(graph, {x: [5, 2, 3], z: [5, 1, 3]}));
  await raises('no shapes', 'TypeError', '', () => extensions.computeShapes(graph, {x: 1}));
  for (const n of [1, 4, 1, 2]) {
    const a = await tensor([n, 2, 3], counting(n * 6)), c = await tensor([n, 1, 3], new Array(n * 3).fill(1)), t = await tensor([n, 2, 3]), u = await tensor([n, 6]);
    context.dispatch(graph, {x: a, y: c}, {total: t, flat: u});
    same(`sizes of ${n}`, [await read(t), await read(u)], [counting(n * 6).map(v => v + 1), counting(n * 6).map(v => v + 1)]);
    [a, c, t, u].forEach(o => o.destroy());
  }
  const a = await tensor([2, 2, 3]), c = await tensor([1, 1, 3]), t = await tensor([2, 2, 3]), u = await tensor([2, 6]);
  await raises('tensors that do not fit', 'TypeError', 'batch', () => context.dispatch(graph, {x: a, y: c}, {total: t, flat: u}));
  check('text', extensions.print(graph).includes('batch') && (await extensions.steps(graph)).length > 0, extensions.print(graph));
  graph.destroy();
  await raises('destroyed', 'InvalidStateError', '', () => extensions.computeShapes(graph, {x: [5, 2, 3], y: [5, 1, 3]}));
  await raises('steps of it', 'InvalidStateError', '', () => extensions.steps(graph));
  const twice = new MLGraphBuilder(context), n = extensions.dimension(twice, 'n'), p = twice.input('same', f32(n)), q = twice.input('same', f32(n));
  await raises('two inputs of one name', 'TypeError', 'one name', () => twice.build({s: twice.add(p, q)}));
}

async function testOperators({MLGraphBuilder, extensions, context, tensor, read, counting, f32}) {
  const b = new MLGraphBuilder(context), length = extensions.dimension(b, 'length'), x = b.input('x', f32(1, length, 8));
  const constant = (...values) => b.constant({dataType: 'uint32', shape: [values.length]}, Uint32Array.from(values));
  const held = await context.createConstantTensor({dataType: 'uint32', shape: [2]}, Uint32Array.of(3, 5));
  const sizes = b.concat([b.slice(extensions.shape(b, x), [0], [2]), constant(2, 4)], 0), heads = extensions.reshapeDynamic(b, x, sizes, {label: 'heads'});
  same('a shape that follows', heads.shape, [1, length, 2, 4]);
  const parts = extensions.splitDynamic(b, x, b.constant(held), {axis: 2}), padded = extensions.padDynamic(b, x, constant(0, 1, 0), constant(0, 0, 0));
  same('parts', parts.map(o => o.shape), [[1, length, 3], [1, length, 5]]);
  const tiled = extensions.tileDynamic(b, parts[0], constant(1, 1, 2)), piece = extensions.sliceDynamic(b, x, constant(0, 0, 2), b.concat([b.slice(extensions.shape(b, x), [0], [2]), constant(3)], 0));
  const wide = extensions.expandDynamic(b, b.constant('float32', 7), b.slice(extensions.shape(b, x), [1], [1])), squeezed = extensions.squeeze(b, x, [0]), more = extensions.unsqueeze(b, x, [0]);
  same('without dimensions of 1', [squeezed.shape, more.shape, extensions.flatten(b, x, 2).shape], [[length, 8], [1, 1, length, 8], [length, 8]]);
  const count = b.reshape(b.slice(extensions.shape(b, x), [1], [1]), []), numbers = extensions.range(b, b.constant('uint32', 0), count, b.constant('uint32', 1));
  const odd = extensions.modulusFloor(b, b.constant('int32', -7), b.constant('int32', 4)), left = extensions.modulusTruncate(b, b.constant('int32', -7), b.constant('int32', 4));
  const image = b.reshape(x, [1, 1, length, 8]), up = extensions.resample2dDynamic(b, image, constant(6, 8));
  await raises('sizes of data', 'TypeError', '', () => extensions.reshapeDynamic(b, x, b.input('n', {dataType: 'uint32', shape: [2]})));
  await raises('a label', 'TypeError', '[here] ', () => extensions.reshapeDynamic(b, x, constant(3, 3), {label: 'here'}));
  await raises('too few', 'TypeError', '2 arguments required', () => extensions.reshapeDynamic(b, x));
  await raises('of another builder', 'TypeError', 'newShape is of another builder', () => extensions.reshapeDynamic(b, x, new MLGraphBuilder(context).constant('uint32', 1)));
  const outputs = {heads, part: parts[1], padded, tiled, piece, wide, squeezed, numbers, odd, left, up}, graph = await b.build(outputs);
  held.destroy();
  for (const n of [3, 2]) {
    const shapes = extensions.computeShapes(graph, {x: [1, n, 8]}), all = {};
    same(`shapes of ${n}`, [shapes.heads, shapes.part, shapes.padded, shapes.tiled, shapes.piece, shapes.wide, shapes.squeezed, shapes.numbers, shapes.odd, shapes.up],
      [[1, n, 2, 4], [1, n, 5], [1, n + 1, 8], [1, n, 6], [1, n, 3], [n], [n, 8], [n], [], [1, 1, 6, 8]]);
    for (const name of Object.keys(outputs)) all[name] = await tensor(shapes[name], undefined, outputs[name].dataType);
    context.dispatch(graph, {x: await tensor([1, n, 8], counting(8 * n))}, all);
    const rows = counting(n), of = (...columns) => rows.flatMap(r => columns.map(k => 8 * r + k));
    same(`heads of ${n}`, await read(all.heads), counting(8 * n));
    same(`part of ${n}`, await read(all.part), of(3, 4, 5, 6, 7));
    same(`padded of ${n}`, await read(all.padded), [...new Array(8).fill(0), ...counting(8 * n)]);
    same(`tiled of ${n}`, await read(all.tiled), of(0, 1, 2, 0, 1, 2));
    same(`piece of ${n}`, await read(all.piece), of(2, 3, 4));
    same(`wide and numbers of ${n}`, [await read(all.wide), await read(all.numbers), await read(all.odd), await read(all.left)], [rows.map(() => 7), rows, [1], [-3]]);
    same(`up of ${n}`, (await read(all.up)).filter((_, i) => i % (8 * 6 / n) < 8), counting(8 * n));
  }
  check('all operators', Object.keys(table.more).every(op => String(testOperators).includes(`extensions.${op}(`)));
}

// Wrong arguments of every kind to each function; then all goes on.
async function testWrong(tools) {
  const {MLGraphBuilder, extensions, context, f32} = tools, b = new MLGraphBuilder(context), n = extensions.dimension(b, 'n'), x = b.input('x', f32(n, 2));
  const graph = await new MLGraphBuilder(context).build({y: x}).catch(() => undefined), builder = new MLGraphBuilder(context), sized = await b.build({y: b.relu(x)});
  check('an output of another builder', graph === undefined);
  const wrong = [undefined, null, -1, 2 ** 32, NaN, 1n, 'x', '\0', Symbol.iterator, {}, [], [[]], () => 1, new Proxy({}, {get() { throw new Error('trap'); }}), context, sized, builder, builder.input('y', f32(1, 2)), x, {x: [0, 2]}, {x: [n, 2]}, {x: [1, 2, 3]}];
  let calls = 0, raised = 0;
  for (const name of ['donate', 'dimension', 'dimensionName', 'computeShapes', ...Object.keys(table.more)]) {
    for (const first of [builder, sized, undefined]) for (const v of wrong) for (const w of wrong) {
      calls++;
      try { await extensions[name](first, v, w, v); } catch { raised++; }
    }
  }
  check('wrong arguments', calls > 10000 && raised > calls / 2, `${raised} of ${calls} were refused`);
  same('afterwards', extensions.computeShapes(sized, {x: [3, 2]}), {y: [3, 2]});
}

// A context whose graphs have open sizes and are neither destroyed nor used again; and what is asked after it is gone.
async function testEnd({MLGraphBuilder, extensions, context, f32}) {
  const b = new MLGraphBuilder(context), n = extensions.dimension(b, 'n'), x = b.input('x', f32(n)), graph = await b.build({y: b.relu(x)});
  context.destroy();
  await raises('after the context', 'InvalidStateError', '', () => extensions.computeShapes(graph, {x: [2]}));
  await raises('steps after the context', 'InvalidStateError', '', () => extensions.steps(graph));
  await raises('donate after the context', 'InvalidStateError', '', () => extensions.donate(b, x, x));
  graph.destroy();
}

for (const [name, binding, options] of [['shared', shared, {}], ['worker', plain, {}], ['calling', shared, {thread: 'calling'}], ['reference', shared, {numerics: 'reference'}]]) {
  where = name;
  const context = await binding.ml.createContext(options), tools = kit(binding, context);
  for (const test of [testDonation, testSizes, testOperators, testWrong, testEnd]) await test(tools);
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
