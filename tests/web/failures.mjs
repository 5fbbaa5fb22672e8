// node failures.mjs BUILD: what goes wrong around the binding: modules that do not come or cannot grow, a worker that stops, no
// shared memory, buffers that are transferred or may change their size, and objects destroyed while their work is on its way.
// What failed says why, and all else goes on.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const build = path.resolve(process.argv[2]), bytes = fs.readFileSync(path.join(build, 'webnn.wasm'));
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };
const raises = async (name, kind, words, f) => {
  try { await f(); check(name, false, 'nothing was raised'); } catch (e) { check(name, e.name === kind && e.message.includes(words), `${e.name}: ${e.message}`); }
};
const copies = [];
process.on('exit', () => copies.forEach(file => fs.rmSync(file)));
function another() { // the binding once more, with nothing loaded
  copies.push(path.join(build, `failures-${copies.length}.mjs`));
  fs.copyFileSync(path.join(build, 'webnn.mjs'), copies.at(-1));
  return import(pathToFileURL(copies.at(-1)));
}
const f32 = (...shape) => ({dataType: 'float32', shape}), both = {readable: true, writable: true};
async function relu({MLGraphBuilder}, context, n = 2) {
  const b = new MLGraphBuilder(context);
  return b.build({y: b.relu(b.input('x', f32(n)))});
}
async function works(name, binding, context) { // a run of a new graph
  const g = await relu(binding, context), [x, y] = [await context.createTensor({...f32(2), ...both}), await context.createTensor({...f32(2), ...both})];
  context.writeTensor(x, Float32Array.of(-1, 2));
  context.dispatch(g, {x}, {y});
  const out = [...new Float32Array(await context.readTensor(y))];
  check(name, out[0] === 0 && out[1] === 2, out);
  [g, x, y].forEach(o => o.destroy());
}

// A module that does not come; and one that comes later.
{
  const some = await another();
  some.configure({wasm: Promise.reject(new Error('no network'))});
  await raises('a module that does not come', 'Error', 'no network', () => some.ml.createContext());
  some.configure({wasm: {ok: false, status: 404, url: '/webnn.wasm', arrayBuffer: async () => new ArrayBuffer(9)}});
  await raises('a page in its place', 'Error', '/webnn.wasm: 404', () => some.ml.createContext());
  some.configure({wasm: Uint8Array.of(1, 2, 3)});
  await raises('no module', 'CompileError', '', () => some.ml.createContext());
  some.configure({wasm: bytes});
  await works('a module that comes later', some, await some.ml.createContext());
}

// No shared memory: one thread in a worker.
{
  const own = Object.getOwnPropertyDescriptor(globalThis, 'SharedArrayBuffer');
  delete globalThis.SharedArrayBuffer;
  const some = await another(), context = await some.ml.createContext({threads: 2});
  check('without SharedArrayBuffer', some.extensions.thread(context) === 'worker' && (await some.extensions.threads(context)).threads === 1);
  await works('what it computes', some, context);
  context.writeTensor(await context.createTensor({...f32(1), ...both}), new Uint8Array(4));
  Object.defineProperty(globalThis, 'SharedArrayBuffer', own);
  context.destroy();
}

// A worker that stops: what was asked is refused, its contexts are lost, and the next has another one.
for (const [name, options] of globalThis.Bun ? [] : [['shared memory', {}], ['messages', {wasm: bytes}]]) { // in Bun nobody can say so to the binding
  const {Worker} = process.getBuiltinModule('node:worker_threads'), {on} = Worker.prototype, workers = new Set();
  Worker.prototype.on = function (...given) { workers.add(this); return on.apply(this, given); };
  const some = await another();
  if (options.wasm) some.configure(options);
  const context = await some.ml.createContext({threads: 1}), tensor = await context.createTensor({...f32(2), ...both}), g = await relu(some, context);
  Worker.prototype.on = on;
  check(`${name}: a worker`, workers.size === 1, workers.size);
  const asked = [context.createTensor(f32(3)), context.readTensor(tensor), relu(some, context)];
  asked.forEach(p => p.catch(() => {}));
  [...workers][0].emit('error', new Error('stopped'));
  for (const p of asked) await raises(`${name}: what was asked`, p === asked[1] ? 'InvalidStateError' : 'UnknownError', '', () => p);
  check(`${name}: lost`, (await context.lost).message === 'the worker has stopped');
  await raises(`${name}: dispatch`, 'InvalidStateError', 'dispatch', () => context.dispatch(g, {x: tensor}, {y: tensor}));
  tensor.destroy();
  g.destroy();
  context.destroy();
  await works(`${name}: the next worker`, some, await some.ml.createContext({threads: 1}));
}

// A module that cannot grow: its memory gets a limit, 8 MiB above what it needs.
function limited(module) {
  for (let at = 8; at < module.length;) {
    const id = module[at], read = p => { let n = 0, shift = 0, byte; do { byte = module[p++]; n |= (byte & 127) << shift; shift += 7; } while (byte > 127); return [n, p]; };
    const [size, body] = read(at + 1);
    if (id === 5) {
      const write = n => { const out = []; do { out.push(n & 127 | (n > 127 ? 128 : 0)); n >>>= 7; } while (n); return out; };
      const [least] = read(body + 2), memory = [1, 1, ...write(least), ...write(least + 128)];
      return Buffer.concat([module.subarray(0, at), Uint8Array.of(5, memory.length, ...memory), module.subarray(body + size)]);
    }
    at = body + size;
  }
}
for (const thread of ['worker', 'calling']) {
  const some = await another();
  some.configure({wasm: limited(bytes)});
  const context = await some.ml.createContext({thread}), held = [], full = 2 ** 18; // floats: 1 MiB
  const fill = async (name, make) => {
    await raises(`${thread}: ${name}`, 'UnknownError', '', async () => { for (let n = 0; n < 100; n++) held.push(await make(n)); });
    check(`${thread}: ${name}, some of them`, held.length > 0 && held.length < 100, held.length);
    held.splice(0).forEach(o => o.destroy());
    await works(`${thread}: after ${name}`, some, context);
  };
  await fill('tensors', () => context.createTensor(f32(full)));
  await fill('constant tensors', () => context.createConstantTensor(f32(full), new Float32Array(full)));
  await fill('constants of graphs', n => {
    const b = new some.MLGraphBuilder(context);
    return b.build({y: b.add(b.input('x', f32(full)), b.constant(f32(full), new Float32Array(full).fill(n)))});
  });
  await fill('memory of graphs', () => {
    const b = new some.MLGraphBuilder(context);
    return b.build({y: b.softmax(b.transpose(b.softmax(b.input('x', f32(256, 256)), 1)), 1)});
  });
  const large = await context.createTensor({...f32(full), ...both});
  context.writeTensor(large, new Float32Array(full).fill(3));
  check(`${thread}: what it still holds`, new Float32Array(await context.readTensor(large)).every(v => v === 3));
  context.destroy();
}

// Buffers: shared ones are taken; those that are gone, or may change their size, are not (Web IDL's buffer source types).
{
  const some = await another(), context = await some.ml.createContext(), t = await context.createTensor({...f32(2), ...both}), b = new some.MLGraphBuilder(context);
  const read = async () => [...new Float32Array(await context.readTensor(t))].join();
  const shared = new Float32Array(new SharedArrayBuffer(8)).fill(4);
  context.writeTensor(t, shared);
  check('a shared view', await read() === '4,4');
  context.writeTensor(t, new SharedArrayBuffer(8));
  check('a shared buffer', await read() === '0,0');
  context.writeTensor(t, Float32Array.of(5, 6));
  await context.readTensor(t, shared);
  check('read into a shared view', shared.join() === '5,6', shared);
  const mine = new Float32Array(await context.readTensor(t));
  mine.fill(9);
  check('what was read is the caller\'s', await read() === '5,6');
  const gone = Float32Array.of(1, 2);
  structuredClone(gone, {transfer: [gone.buffer]});
  const uses = {
    writeTensor: v => context.writeTensor(t, v), readTensor: v => context.readTensor(t, v), constant: v => b.constant(f32(2), v), createConstantTensor: v => context.createConstantTensor(f32(2), v)};
  for (const [use, f] of Object.entries(uses)) {
    for (const v of [gone, gone.buffer]) await raises(`${use}: a detached buffer`, 'TypeError', '', () => f(v));
    const resizable = new ArrayBuffer(8, {maxByteLength: 16}), growable = new SharedArrayBuffer(8, {maxByteLength: 16});
    for (const v of [resizable, new Float32Array(resizable), new DataView(resizable), new Float32Array(resizable, 0, 2), growable, new Uint8Array(growable)]) {
      await raises(`${use}: a buffer that may change its size`, 'TypeError', 'may change its size', () => f(v));
    }
  }
  check('the tensor is what it was', await read() === '5,6');
  const late = Float32Array.of(7, 8); // written, and then given away
  context.writeTensor(t, late);
  structuredClone(late, {transfer: [late.buffer]});
  check('written before it was transferred', await read() === '7,8');
  context.destroy();
}

// Destroyed while a long dispatch runs: the graph, its input and its constants; its output can still be read, unless it is gone.
for (const thread of ['worker', 'calling']) {
  const some = await another(), context = await some.ml.createContext({thread, numerics: 'reference'}), b = new some.MLGraphBuilder(context), d = {...f32(120, 120), ...both};
  const weights = await context.createConstantTensor(f32(120, 120), new Float32Array(120 * 120).fill(0.25));
  const g = await b.build({y: b.matmul(b.input('x', d), b.constant(weights))}), [x, y, z] = [await context.createTensor(d), await context.createTensor(d), await context.createTensor(d)];
  context.writeTensor(x, new Float32Array(120 * 120).fill(2));
  for (const to of [y, z]) context.dispatch(g, {x}, {y: to});
  const reading = context.readTensor(z);
  [g, x, weights, z].forEach(o => o.destroy());
  await raises(`${thread}: the output is destroyed`, 'InvalidStateError', 'destroyed', () => reading);
  check(`${thread}: everything else is destroyed`, new Float32Array(await context.readTensor(y)).every(v => v === 60));
  await raises(`${thread}: dispatch again`, 'InvalidStateError', '', () => context.dispatch(g, {x: y}, {y}));
  context.destroy();
}

console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
