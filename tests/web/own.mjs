// node --expose-gc own.mjs BUILD: what is this binding's own: extensions, memory that nobody frees, a module that cannot
// grow, arguments of every wrong kind. Nothing may end the process or leave the module unusable.
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const build = path.resolve(process.argv[2]);
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

const context = await ml.createContext();
const same = (a, b) => a.length === b.length && a.every((v, i) => v === b[i]);
check('run', same(await run(context, await relu(context), [-1, 2]), [0, 2]));

// Extensions.
const graph = await relu(context);
check('print', extensions.print(graph).includes('relu("x")'), extensions.print(graph));
check('dot', extensions.dot(graph).startsWith('digraph'), extensions.dot(graph).slice(0, 40));
await extensions.profile(graph, true);
await run(context, graph, [1, 2]);
const profile = await extensions.profile(graph);
check('profile', profile.includes('relu'), profile);
check('memory', extensions.memory(graph).description > 0);
const c = extensions.compare('float32', Float32Array.of(1, 2), Float32Array.of(1, 2.0000002384185791));
check('compare', c.count === 2 && c.different === 1 && c.maxUlp === 1 && c.failed === 1, JSON.stringify(c));
check('compare within 1 ULP', extensions.compare('float32', Float32Array.of(2), Float32Array.of(2.0000002384185791), {ulp: 1}).failed === 0);
const exact = await ml.createContext({numerics: 'reference'});
check('reference', same(await run(exact, await relu(exact), [3, -1]), [3, 0]));
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
