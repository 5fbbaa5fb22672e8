// node --expose-gc own.mjs BUILD: what is this binding's own: extensions, memory that nobody frees, a module that cannot
// grow, arguments of every wrong kind. Nothing may end the process or leave the module unusable. Deno and Bun run it, too.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {testThreads} from './threads.mjs';

const build = path.resolve(process.argv[2]);
// Node loads its implementation of these when they are first named, which takes longer than everything of the binding.
for (const name of ['Response', 'fetch', 'MessageChannel', 'MessageEvent']) {
  Object.defineProperty(globalThis, name, {get() { throw new Error(`the binding names ${name}`); }, configurable: true});
}
const {ml, MLGraphBuilder, interfaces, extensions, install} = await import(pathToFileURL(path.join(build, 'webnn.mjs')));
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };
const raises = async (name, kind, f) => {
  try { await f(); check(name, false, 'nothing was raised'); } catch (e) { check(name, e.name === kind && e.message !== '', `${e.name}: ${e.message}`); }
};
const f32 = (...shape) => ({dataType: 'float32', shape});

async function relu(context, size = 2) {
  const builder = new MLGraphBuilder(context), x = builder.input('x', f32(size));
  return builder.build({y: builder.relu(x)});
}
async function run(context, graph, values) {
  const d = {...f32(values.length), readable: true, writable: true}, [x, y] = await Promise.all([context.createTensor(d), context.createTensor(d)]);
  context.writeTensor(x, Float32Array.from(values));
  context.dispatch(graph, {x}, {y});
  const out = new Float32Array(await context.readTensor(y));
  x.destroy();
  y.destroy();
  return [...out];
}

// The binding once more, in a module of its own, whose text `change` may change; and a program of its own, its output.
const copies = [], scratch = (name, source) => { copies.push(path.join(build, `own-${copies.length}-${name}`)); fs.writeFileSync(copies.at(-1), source); return copies.at(-1); };
process.on('exit', () => copies.forEach(file => fs.rmSync(file)));
const another = (change = source => source) => import(pathToFileURL(scratch('webnn.mjs', change(fs.readFileSync(path.join(build, 'webnn.mjs'), 'utf8')))));
const program = source => execFileSync(process.execPath, [...globalThis.Deno ? ['run', '-A'] : [], scratch('program.mjs', source)], {timeout: 60000, encoding: 'utf8'});

const context = await ml.createContext();
const same = (a, b) => a.length === b.length && a.every((v, i) => v === b[i]);
check('run', same(await run(context, await relu(context), [-1, 2]), [0, 2]));

// Few rows times weights that are read in place: the bits of weights that come as an input, which are packed.
for (const [rows, batch] of [[1, 1], [2, 1], [3, 1], [4, 1], [1, 3], [2, 2]]) {
  for (const [depth, columns] of [[768, 1001], [300, 64], [1030, 2309], [520, 4096]]) {
    const builder = new MLGraphBuilder(context), data = Float32Array.from({length: depth * columns}, (_, i) => Math.sin(i * 0.7)), left = f32(batch, rows, depth);
    const x = builder.input('x', left), out = {...f32(batch, rows, columns), readable: true};
    const g = await builder.build({packed: builder.matmul(x, builder.input('w', f32(depth, columns))), inPlace: builder.matmul(x, builder.constant(f32(depth, columns), data))});
    const [a, w, packed, inPlace] = await Promise.all([{...left, writable: true}, {...f32(depth, columns), writable: true}, out, out].map(d => context.createTensor(d)));
    context.writeTensor(a, Float32Array.from({length: batch * rows * depth}, (_, i) => Math.cos(i * 1.3)));
    context.writeTensor(w, data);
    context.dispatch(g, {x: a, w}, {packed, inPlace});
    const [p, q] = await Promise.all([packed, inPlace].map(async t => new Uint32Array(await context.readTensor(t))));
    check(`${batch} x ${rows} rows times ${depth} x ${columns} in place`, same(p, q) && p.some(v => v !== p[0]) && (rows * batch > 4 || (await extensions.steps(g)).includes('in place')));
    [g, a, w, packed, inPlace].forEach(o => o.destroy());
  }
}

// One row times transposed weights that are read in place, with short and long lines: sums within 2^-20 of the magnitudes.
for (const [depth, columns] of [[64, 300], [770, 37], [1023, 1030], [4096, 19], [4100, 33], [65, 2001]]) {
  const builder = new MLGraphBuilder(context), data = Float32Array.from({length: depth * columns}, (_, i) => Math.sin(i * 0.7));
  const g = await builder.build({y: builder.gemm(builder.input('x', f32(1, depth)), builder.constant(f32(columns, depth), data), {bTranspose: true})});
  const [x, y] = [await context.createTensor({...f32(1, depth), writable: true}), await context.createTensor({...f32(1, columns), readable: true})];
  const row = Float32Array.from({length: depth}, (_, i) => Math.cos(i * 1.3)), sums = Array.from({length: columns}, (_, c) => row.reduce(([sum, size], v, k) => [sum + v * data[c * depth + k], size + Math.abs(v * data[c * depth + k])], [0, 0]));
  context.writeTensor(x, row);
  context.dispatch(g, {x}, {y});
  const out = new Float32Array(await context.readTensor(y)), wrong = out.findIndex((v, c) => !(Math.abs(v - sums[c][0]) <= sums[c][1] * 2 ** -20));
  check(`a row times ${columns} lines of ${depth} in place`, wrong < 0 && (await extensions.steps(g)).includes('in place'), `${out[wrong]} at ${wrong}, not ${sums[wrong]}`);
  [g, x, y].forEach(o => o.destroy());
}

// Extensions.
const graph = await relu(context);
check('print', extensions.print(graph).includes('relu("x")'), extensions.print(graph));
check('dot', extensions.dot(graph).startsWith('digraph'), extensions.dot(graph).slice(0, 40));
await extensions.profile(graph, true);
await run(context, graph, [1, 2]);
const profile = await extensions.profile(graph);
check('profile', profile.includes('relu') && /^ *(?!0\.000 )\d+\.\d+ .*all 1 step$/m.test(profile), profile); // a relu takes some time
const steps = await extensions.steps(graph);
check('steps', /^relu float32 \[2\]: kernel \w+/.test(steps), steps);
check('memory', extensions.memory(graph).description > 0);
const c = extensions.compare('float32', Float32Array.of(1, 2), Float32Array.of(1, 2.0000002384185791));
check('compare', c.count === 2 && c.different === 1 && c.maxUlp === 1 && c.failed === 1, JSON.stringify(c));
check('compare within 1 ULP', extensions.compare('float32', Float32Array.of(2), Float32Array.of(2.0000002384185791), {ulp: 1}).failed === 0);
const exact = await ml.createContext({numerics: 'reference'});
check('reference', same(await run(exact, await relu(exact), [3, -1]), [3, 0]));
// Sizes that C reads as dynamic dimensions are too large here, as all above 2^31 - 1.
for (const size of [0xbfffffff, 0xc0000000, 0xc0000001, 0xffffffff]) {
  await raises(`a dimension of ${size}`, 'TypeError', () => new MLGraphBuilder(context).input('x', f32(size)));
}
await raises('numerics', 'TypeError', () => ml.createContext({numerics: 'best'}));

// Wrong arguments of every kind, to every operation.
const wrong = [undefined, null, 0, -1, NaN, 1n, 'x', '\0', Symbol.iterator, {}, [], [[]], () => 1, new Uint8Array(3), new Proxy({}, {get() { throw new Error('trap'); }}), context, graph];
let raised = 0, calls = 0;
for (const [name, d] of Object.entries(interfaces)) {
  for (const op of Object.getOwnPropertyNames(d.prototype)) {
    const own = Object.getOwnPropertyDescriptor(d.prototype, op);
    if (typeof own.value !== 'function' || op === 'constructor' || op === 'destroy') continue;
    for (const receiver of [undefined, {}, name === 'MLGraphBuilder' ? new MLGraphBuilder(context) : name === 'MLContext' ? context : ml]) {
      for (const w of wrong) for (const v of wrong) {
        calls++;
        try { await own.value.call(receiver, w, v, w); } catch { raised++; }
      }
    }
  }
}
check('wrong arguments', calls > 10000 && raised > calls / 2, `${raised} of ${calls} were refused`);
check('after wrong arguments', same(await run(context, await relu(context), [-5, 7]), [0, 7]));

// A number of every kind, as ToNumeric converts it, read as an int64.
for (const [value, expected] of [[7, 7n], ['0x10', 16n], [[5], 5n], [new Date(8), 8n], [2n ** 53n + 1n, 2n ** 53n + 1n], [Object(6n), 6n], [{valueOf: () => 3}, 3n],
  [{valueOf: () => ({}), toString: () => '4'}, 4n], [{valueOf: undefined, toString: () => 2n ** 53n + 3n}, 2n ** 53n + 3n], [{[Symbol.toPrimitive]: kind => kind === 'number' ? 9n : 0n, valueOf: () => 1}, 9n]]) {
  const builder = new MLGraphBuilder(context);
  const g = await builder.build({y: builder.identity(builder.constant('int64', value))}), y = await context.createTensor({dataType: 'int64', shape: [], readable: true});
  context.dispatch(g, {}, {y});
  check('a number as a constant', new BigInt64Array(await context.readTensor(y))[0] === expected, expected);
}
for (const value of [Symbol(), {[Symbol.toPrimitive]: () => ({})}, {valueOf: () => Symbol()}]) await raises('no number', 'TypeError', () => new MLGraphBuilder(context).constant('int64', value));

// The thread stays free: turns of the event loop during a long dispatch, counted. On the calling thread there are next
// to none, as the dispatch has ended before the first.
async function turnsDuring(thread) {
  const slow = await ml.createContext({thread, numerics: 'reference'}), builder = new MLGraphBuilder(slow), d = {...f32(160, 160), readable: true, writable: true};
  const x = builder.input('x', f32(160, 160)), g = await builder.build({y: builder.matmul(x, x)}), [a, b] = [await slow.createTensor(d), await slow.createTensor(d)];
  slow.writeTensor(a, new Float32Array(160 * 160).fill(0.5));
  slow.dispatch(g, {x: a}, {y: b});
  let turns = 0, ended = false;
  const result = slow.readTensor(b).then(r => { ended = true; return new Float32Array(r); });
  while (!ended) { turns++; await new Promise(resolve => setImmediate(resolve)); }
  check(`a long dispatch, ${thread}`, (await result).every(v => v === 40) && extensions.thread(slow) === thread);
  slow.destroy();
  return turns;
}
const free = await turnsDuring('worker'), still = await turnsDuring('calling');
check('the thread stays free', free >= 50 && still < 50, `${free} turns beside the worker, ${still} on the calling thread`);

// Messages to the worker. Where memory is not shared a run takes one that ends with the dispatch, and one to read. What
// nothing follows is sent, too, and data that wait are those of the time of the call, in buffers that come back.
{
  const {Worker} = process.getBuiltinModule('node:worker_threads'), own = Worker.prototype.postMessage, sent = [];
  const of = (...kinds) => sent.filter(m => [m].flat().some(c => kinds.includes(c.to))).length; // destroyed objects have messages, too
  Worker.prototype.postMessage = function (...given) { sent.push(given[0]); return own.apply(this, given); };
  const plain = await another();
  plain.configure({wasm: fs.readFileSync(path.join(build, 'webnn.wasm'))});
  const sumOf = async ({ml, MLGraphBuilder}, ...shape) => {
    const c = await ml.createContext(), builder = new MLGraphBuilder(c), d = {...f32(...shape), readable: true, writable: true};
    return [c, await builder.build({s: builder.sub(builder.input('a', d), builder.input('b', d))}), ...await Promise.all(['a', 'b', 's'].map(() => c.createTensor(d)))];
  };
  {
    const [c, sum, a, b, s] = await sumOf(plain, 2), data = new Float32Array(2), outs = [];
    for (let n = 0; n < 4; n++) {
      sent.length = 0;
      c.writeTensor(a, data.fill(10 + n));
      c.writeTensor(b, data.fill(n));
      c.writeTensor(b, data.fill(n / 2));
      c.dispatch(sum, {a, b}, {s});
      data.fill(NaN);
      outs.push(...new Float32Array(await c.readTensor(s)));
      check('messages of a run', of('write', 'run', 'read') === 2, sent.length);
    }
    check('data of the time of the call', same(outs, [10, 10, 10.5, 10.5, 11, 11, 11.5, 11.5]), outs);
    sent.length = 0;
    const reads = await Promise.all([a, b, s].map(t => c.readTensor(t)));
    check('three reads are one message', of('read') === 1 && same(reads.map(r => new Float32Array(r)[1]), [13, 1.5, 11.5]), of('read'));
    sent.length = 0;
    c.writeTensor(a, data.fill(1));
    check('a write waits', of('write') === 0);
    await new Promise(resolve => setTimeout(resolve, 20));
    check('a write that nothing follows', of('write') === 1, sent.length);
    c.destroy();
  }

  // Where memory is shared data are in no message, and a graph that takes little time is run here, but not before the
  // worker has done what it was sent.
  {
    const [c, sum, a, b, s] = await sumOf({ml, MLGraphBuilder}, 2), data = new Float32Array(2), outs = [];
    const turn = async n => {
      c.writeTensor(a, data.fill(10 + n));
      c.writeTensor(b, data.fill(n / 2));
      c.dispatch(sum, {a, b}, {s});
      data.fill(NaN);
      return new Float32Array(await c.readTensor(s))[1];
    };
    for (let n = 0, until = performance.now() + 10000; n === 0 || sent.length && performance.now() < until; n++) { // a first run, or a slow one, is the worker's
      sent.length = 0;
      outs.push(await turn(n) - n / 2);
      check('data are in no message', sent.flat().every(m => m.data === undefined));
    }
    check('a run without a message', sent.length === 0 && outs.every(v => v === 10), outs);
    for (let until = performance.now() + 10000, again = true; again;) { // a run before that was slow makes these the worker's
      sent.length = 0;
      const results = await Promise.all([turn(4), turn(6)]);
      check('what a read waits for', same(results, [12, 13]), `${results}`);
      again = of('write') !== 0 && performance.now() < until;
    }
    check('a read that waits keeps no write back', of('write') === 0, of('write'));
    const twice = new Float32Array(2), mixed = [c.readTensor(s, twice)];
    c.writeTensor(s, data.fill(3)); // the first read has what was there
    c.destroy();
    mixed.forEach(m => m.catch(() => {}));
  }
  {
    const [c, sum, a, b, s] = await sumOf({ml, MLGraphBuilder}, 1000, 1000), data = new Float32Array(1000000), outs = [];
    for (let n = 0; n < 3; n++) {
      sent.length = 0;
      c.writeTensor(a, data.fill(10 + n));
      c.writeTensor(b, data.fill(n / 2));
      c.dispatch(sum, {a, b}, {s});
      const first = c.readTensor(s), made = c.createTensor(f32(1)); // the worker runs; what follows changes what is read
      c.writeTensor(s, data.fill(-1));
      const second = c.readTensor(s);
      c.writeTensor(a, data.fill(-2));
      c.dispatch(sum, {a: s, b: a}, {s: b});
      const third = c.readTensor(b), order = [];
      await Promise.all(Object.entries({first, made, second, third}).map(async ([name, promise]) => { const v = await promise; order.push(name); if (name !== 'made') outs.push(new Float32Array(v)[999999]); }));
      check('the order of reads', order.join() === 'first,made,second,third', order);
    }
    // The worker has replied, but the reply is not here yet, when what it replied about changes.
    const late = [];
    for (const change of [() => c.writeTensor(s, data.fill(-1)), () => { c.writeTensor(a, data.fill(-1)); c.dispatch(sum, {a, b}, {s}); }]) {
      c.writeTensor(a, data.fill(5));
      c.writeTensor(b, data.fill(1));
      c.dispatch(sum, {a, b}, {s});
      const before = c.readTensor(s);
      await Promise.resolve();
      for (const until = performance.now() + 200; performance.now() < until;);
      change();
      late.push(new Float32Array(await before)[999999]);
    }
    check('what a read has whose reply is late', same(late, [4, 4]), late);
    check('what reads of changing tensors have', same(outs, [10, -1, 1, 10.5, -1, 1, 11, -1, 1]), outs);
    c.destroy();
  }
  Worker.prototype.postMessage = own;
}

// Where no worker can be made, the calling thread.
const {getBuiltinModule} = process, {Worker} = globalThis;
process.getBuiltinModule = () => undefined;
globalThis.Worker = class { constructor() { throw new Error('forbidden'); } };
const alone = await another(), lonely = await alone.ml.createContext();
Object.assign(process, {getBuiltinModule});
if (Worker) globalThis.Worker = Worker; else delete globalThis.Worker; // Node has none
check('without workers', alone.extensions.thread(lonely) === 'calling' && extensions.thread(context) === 'worker');

// Both threads say the same, in the same order.
const outcome = async f => { try { return `fulfilled with ${await f()}`; } catch (e) { return `${e.name}: ${e.message}`; } };
async function outcomes(thread) {
  const own = await ml.createContext({thread, threads: 2}), other = await ml.createContext({thread, threads: 2}), d = {...f32(2), readable: true, writable: true}, all = [];
  const tensors = async (c, n, options) => Promise.all(Array.from({length: n}, () => c.createTensor({...d, ...options})));
  const [x, y, z] = await tensors(own, 3), [foreign] = await tensors(other, 1), [large] = await tensors(own, 1, {shape: [3]}), [plain] = await tensors(own, 1, {readable: false, writable: false});
  const weights = await own.createConstantTensor(f32(2), Float32Array.of(5, 6)), g = await relu(own), foreignGraph = await relu(other);
  const say = async f => { all.push(await outcome(f)); };
  const numbers = async t => [...new Float32Array(await own.readTensor(t))];
  for (const [graph, a, b] of [[g, {x}, {y}], [g, {x}, {y: x}], [g, {}, {y}], [g, {x}, {z: y}], [g, {x: foreign}, {y}], [g, {x: large}, {y}], [g, {x: weights}, {y}], [foreignGraph, {x}, {y}]]) {
    await say(() => own.dispatch(graph, a, b));
  }
  await say(() => own.writeTensor(plain, Float32Array.of(1, 2)));
  await say(() => own.writeTensor(x, Float32Array.of(1)));
  await say(() => own.writeTensor(weights, Float32Array.of(1, 2)));
  await say(() => own.writeTensor(foreign, Float32Array.of(1, 2)));
  for (const t of [plain, weights, foreign]) await say(() => own.readTensor(t));
  await say(() => own.readTensor(x, new Float32Array(1)));
  await say(() => own.createTensor(f32(2 ** 31)));
  await say(() => own.createConstantTensor(f32(2), Float32Array.of(1)));
  const twice = new MLGraphBuilder(own), a = twice.input('a', f32(2)), b = twice.input('a', f32(2)), sum = twice.add(a, b);
  await say(() => twice.build({sum}));
  await say(() => twice.build({}));
  await say(() => twice.build({a}));
  await say(async () => { await twice.build({y: twice.relu(a)}); });
  await say(async () => { await twice.build({y: sum}); });
  await say(() => twice.relu(a));
  // The data of the time of the call; and what is destroyed while work is queued.
  const late = Float32Array.of(-1, 2);
  own.writeTensor(x, late);
  late.fill(9);
  own.dispatch(g, {x}, {y});
  g.destroy();
  x.destroy();
  await say(() => numbers(y));
  await say(() => own.dispatch(g, {x: z}, {y}));
  const used = new MLGraphBuilder(own), w = used.constant(weights), v = used.input('v', f32(2));
  await say(async () => { const wg = used.build({s: used.add(v, w)}); weights.destroy(); own.dispatch(await wg, {v: z}, {s: y}); return numbers(y); });
  const unused = new MLGraphBuilder(own);
  await say(() => unused.constant(weights));
  const out = new Float32Array(2), reading = own.readTensor(y, out);
  structuredClone(out.buffer, {transfer: [out.buffer]});
  await say(() => reading);
  // What is read is what the tensor held then, whatever changes it before the promise is fulfilled.
  const first = new Float32Array(2), second = new Float32Array(2), h = await relu(own);
  own.writeTensor(z, Float32Array.of(-3, 4));
  const reads = [own.readTensor(z, first), own.readTensor(z)];
  own.writeTensor(z, Float32Array.of(-5, 6));
  reads.push(own.readTensor(z, second), own.readTensor(z, second));
  own.dispatch(h, {x: z}, {y});
  own.dispatch(h, {x: y}, {y: z});
  await say(async () => { const [, bytes] = await Promise.all(reads); return [...first, ...new Float32Array(bytes), ...second, ...await numbers(z)]; });
  const kept = Float32Array.of(7, 8), cut = own.readTensor(y, kept), again = own.readTensor(y);
  y.destroy();
  for (const p of [cut, again]) await say(() => p);
  await say(async () => [...kept]);
  const [last] = await tensors(own, 1), pending = own.readTensor(last);
  last.destroy();
  await say(() => pending);
  const waiting = own.readTensor(z), made = own.createTensor(d), builder = new MLGraphBuilder(own), i = builder.input('i', f32(2)), built = builder.build({o: builder.relu(i)});
  own.destroy();
  for (const p of [waiting, made, built]) await say(() => p);
  await say(async () => (await own.lost).message);
  await say(() => new MLGraphBuilder(own));
  await say(() => builder.relu(i));
  return all;
}
const [inWorker, calling] = [await outcomes('worker'), await outcomes('calling')];
check('both threads have the same outcomes', inWorker.length > 30 && inWorker.length === calling.length);
inWorker.forEach((o, i) => check(`outcome ${i}`, o === calling[i], `${o} in the worker, ${calling[i]} on the calling thread`));
if (process.env.SHOW) console.log(inWorker.join('\n'));

// Promises are fulfilled in the order of the calls.
for (const thread of ['worker', 'calling']) {
  const own = await ml.createContext({thread}), builder = new MLGraphBuilder(own), x = builder.input('x', f32(2)), order = [];
  const t = await own.createTensor({...f32(2), readable: true});
  await Promise.all(Object.entries({read: () => own.readTensor(t), tensor: () => own.createTensor(f32(2)), again: () => own.readTensor(t, new Float32Array(2)), constant: () => own.createConstantTensor(f32(2), Float32Array.of(1, 2)),
    graph: () => builder.build({y: builder.relu(x)}), last: () => own.readTensor(t), other: () => own.createTensor(f32(3))}).map(([name, f]) => f().then(() => order.push(name))));
  check(`the order of promises, ${thread}`, order.join() === 'read,tensor,again,constant,graph,last,other', order);
  own.destroy();
}

// A view: the tensor itself.
{
  const own = await ml.createContext({thread: 'calling'}), d = {...f32(3), readable: true, writable: true}, [x, y] = [await own.createTensor(d), await own.createTensor(d)];
  const g = await relu(own, 3);
  extensions.view(x).set([-1, 2, 3]);
  own.dispatch(g, {x}, {y});
  check('view', extensions.view(y) instanceof Float32Array && same([...extensions.view(y)], [0, 2, 3]), String(extensions.view(y)));
  check('what a view wrote', same([...new Float32Array(await own.readTensor(x))], [-1, 2, 3]));
  for (const [dataType, kind] of [['float16', globalThis.Float16Array ?? Uint16Array], ['int64', BigInt64Array], ['uint8', Uint8Array], ['int32', Int32Array]]) {
    const v = extensions.view(await own.createTensor({dataType, shape: [2, 3]}));
    check(`view of ${dataType}`, v instanceof kind && v.length === 6, v.constructor.name);
  }
  x.destroy();
  await raises('view of a destroyed tensor', 'InvalidStateError', () => extensions.view(x));
  await raises('view of a constant', 'NotSupportedError', async () => extensions.view(await own.createConstantTensor(f32(1), Float32Array.of(1))));
  await raises('view in a worker', 'NotSupportedError', async () => extensions.view(await context.createTensor(d)));
  await raises('view of a graph', 'TypeError', () => extensions.view(g));
  own.destroy();
  await raises('view of a lost context', 'InvalidStateError', () => extensions.view(y));
}

// Destroyed.
const gone = await ml.createContext(), late = await relu(gone);
gone.destroy();
check('lost', typeof (await gone.lost).message === 'string');
await raises('a destroyed context', 'InvalidStateError', () => gone.createTensor(f32(2)));
late.destroy();
const destroyed = await relu(context);
destroyed.destroy();
await raises('a destroyed graph', 'InvalidStateError', () => run(context, destroyed, [1, 2]));

// Ten thousand graphs, tensors and contexts that nobody destroys: the module stays within a bound, by the engine's own
// collection. MOST is what the page docs/bindings.md says.
const MOST = 192 << 20;
let peak = 0;
for (let i = 0; i < 10000; i++) {
  const own = i % 50 ? context : await ml.createContext();
  await relu(own, 1 + i % 7);
  await own.createTensor(f32(1 + i % 9, 1000));
  peak = Math.max(peak, extensions.held().module);
}
check('10,000 objects without destroy', peak <= MOST, `the module grew to ${peak} bytes`);
console.log(`10,000 graphs and tensors without destroy: the module has ${Math.round(peak / 2 ** 20)} MB at most`);

// Threads, and where there can be none.
await testThreads({ml, MLGraphBuilder, extensions}, check);
const missing = Promise.reject(new Error('404'));
missing.catch(() => {}); // until the binding takes it
for (const [name, options] of [['a page without webnn-threads.wasm', {threadsWasm: missing}], ['a broken one', {threadsWasm: Uint8Array.of(0)}],
  ['one that has no shared memory', {threadsWasm: fs.readFileSync(path.join(build, 'webnn.wasm'))}], ['another module alone', {wasm: fs.readFileSync(path.join(build, 'webnn.wasm'))}]]) {
  const some = await another();
  some.configure(options);
  const c = await some.ml.createContext({threads: 2});
  check(name, (await some.extensions.threads(c)).threads === 1 && some.extensions.thread(c) === 'worker');
}
// A helper that stops within a slice: the context is lost, and nobody waits for ever. (The binding, changed there.)
{
  const call = 'table.get(words[POOL.task])', some = await another(source => { check('a call of a slice', source.includes(call)); return source.replace(call, `if (!isCaller) throw new Error('stop'); ${call}`); });
  const c = await some.ml.createContext({threads: 2}), b = new some.MLGraphBuilder(c), d = {...f32(512, 512), readable: true, writable: true}, x = b.input('x', d);
  const g = await b.build({y: b.matmul(x, x)}), [i, o] = [await c.createTensor(d), await c.createTensor(d)];
  await some.extensions.threads(c);
  const {message} = await Promise.race([c.lost, (async () => {
    for (let n = 0; n < 50; n++) { c.dispatch(g, {x: i}, {y: o}); await c.readTensor(o); }
  })().catch(() => c.lost)]) ?? {};
  check('a helper that stops', message === 'a thread of the dispatch has stopped', message);
}
// A process ends when nothing is awaited, while helpers sleep or work.
const script = `const {ml, MLGraphBuilder, extensions} = await import(${JSON.stringify(pathToFileURL(path.join(build, 'webnn.mjs')).href)});
  const c = await ml.createContext({threads: 3}), b = new MLGraphBuilder(c), d = {dataType: 'float32', shape: [256, 256], readable: true, writable: true}, x = b.input('x', d);
  const g = await b.build({y: b.matmul(x, x)}), [i, o] = [await c.createTensor(d), await c.createTensor(d)];
  for (let n = 0; n < 5; n++) c.dispatch(g, {x: i}, {y: o});
  await c.readTensor(o);
  console.log((await extensions.threads(c)).threads);`;
for (const [name, more] of [['sleep', ''], ['work', 'for (let n = 0; n < 500; n++) c.dispatch(g, {x: i}, {y: o});']]) {
  let out;
  try { out = program(script + more); } catch (e) { out = e.message; }
  check(`the end of a process whose helpers ${name}`, out === '3\n', out);
}

// A module that cannot grow: refused, and all goes on.
await raises('a tensor of 2 GB', 'UnknownError', async () => { for (const all = []; ;) all.push(await context.createTensor(f32(2 ** 28))); });
check('after a refusal', same(await run(context, await relu(context), [-5, 7]), [0, 7]));

// Installing.
const world = {navigator: {}};
install(world);
check('install', world.navigator.ml === ml && world.MLGraph === interfaces.MLGraph);
const other = {navigator: {ml: 1}};
install(other, {replace: false});
check('install where there is one', other.navigator.ml === 1);

console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
