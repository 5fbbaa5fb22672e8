// node vectors.mjs BUILD FOLDER NUMERICS PROGRAM [OPERATOR...]: the conformance vectors of FOLDER through the binding give
// the bits that C computes, which `PROGRAM NUMERICS bits` prints (tests/reference/conformance.c): a native program or a
// WebAssembly module, which leaves them in PROGRAM.txt; or PROGRAM is such a text. Where operators are named, BUILD has
// these alone: of other cases it says that it lacks the operator.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import {spawnSync} from 'node:child_process';
import {WASI} from 'node:wasi';
import {pathToFileURL} from 'node:url';

const [, , build, folder, numerics, program, ...only] = process.argv;
const {ml, MLGraphBuilder} = await import(pathToFileURL(path.resolve(build, 'webnn.mjs')));

async function printed() { // by C
  const args = [program, numerics, 'bits'];
  if (program.endsWith('.txt')) return fs.readFileSync(program, 'utf8');
  if (!program.endsWith('.wasm')) return spawnSync(program, args.slice(1), {encoding: 'utf8', maxBuffer: 1 << 28}).stdout;
  const file = `${program}.txt`, stdout = fs.openSync(file, 'w'), vectors = path.dirname(folder);
  const wasi = new WASI({version: 'preview1', args, env: {WEBNN_WPT: '/vectors'}, preopens: {'/vectors': vectors}, stdout, returnOnExit: true});
  wasi.start((await WebAssembly.instantiate(fs.readFileSync(program), {wasi_snapshot_preview1: wasi.wasiImport})).instance);
  fs.closeSync(stdout);
  return fs.readFileSync(file, 'utf8');
}

// ---- Values of the vectors

const ARRAYS = {float32: Float32Array, float16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array};
function elementsOf({dataType, shape, ...tensor}) { // elements of 4 bits lie two in a byte
  const count = shape.reduce((n, x) => n * x, 1), given = tensor.bits ?? tensor.fillBits ?? tensor.data ?? tensor.fill, read = /64/.test(dataType) ? BigInt : Number;
  if (!ARRAYS[dataType]) return Uint8Array.from({length: Math.ceil(count / 2)}, (_, i) => nibble(given, 2 * i) | nibble(given, 2 * i + 1) << 4);
  return Array.isArray(given) ? ARRAYS[dataType].from(given, read) : new ARRAYS[dataType](count).fill(read(given));
}
const nibble = (given, i) => (Array.isArray(given) ? given[i] : given) & 15; // what follows the last one is 0
const READERS = {number: Number, bigint: BigInt};
function valueOf(argument, operands) {
  const [kind, value] = Object.entries(argument).find(([k]) => k !== 'name');
  if (kind === 'operand') return operands[value];
  if (kind === 'operands') return value.map(name => operands[name]);
  if (kind === 'options') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, valueOf(v, operands)]));
  return READERS[kind] ? READERS[kind](value) : value;
}

// ---- A case

async function compute(context, {inputs, operators, outputs}) {
  const builder = new MLGraphBuilder(context), operands = {}, data = {}, tensors = [];
  for (const t of inputs) {
    const descriptor = {dataType: t.dataType, shape: t.shape}, elements = elementsOf(t);
    operands[t.name] = t.constant ? builder.constant(descriptor, elements) : builder.input(t.name, descriptor);
    if (!t.constant) data[t.name] = {descriptor, elements};
  }
  for (const o of operators) {
    const made = [builder[o.name](...o.arguments.map(a => valueOf(a, operands)))].flat();
    o.outputs.forEach((name, i) => { operands[name] = made[i]; });
  }
  const needed = inputsNeeded(operators, outputs), graph = await builder.build(Object.fromEntries(outputs.map(t => [t.name, operands[t.name]])));
  const tensor = async options => { const t = await context.createTensor(options); tensors.push(t); return t; };
  const given = {}, made = {};
  for (const [name, {descriptor, elements}] of Object.entries(data)) if (needed.has(name)) {
    given[name] = await tensor({...descriptor, writable: true});
    context.writeTensor(given[name], elements);
  }
  for (const t of outputs) made[t.name] = await tensor({dataType: t.dataType, shape: t.shape, readable: true});
  context.dispatch(graph, given, made);
  const found = {};
  for (const [name, t] of Object.entries(made)) found[name] = zlib.crc32(new Uint8Array(await context.readTensor(t))).toString(16).padStart(8, '0');
  [graph, ...tensors].forEach(x => x.destroy());
  return found;
}
// A graph has the inputs that its outputs need.
function inputsNeeded(operators, outputs) {
  const needed = new Set(outputs.map(t => t.name));
  const names = v => typeof v === 'string' ? [v] : Array.isArray(v) ? v.flatMap(names) : v && typeof v === 'object' ? Object.values(v).flatMap(names) : [];
  for (const o of [...operators].reverse()) if (o.outputs.some(name => needed.has(name))) {
    o.arguments.forEach(({name, ...kinds}) => names(kinds).forEach(x => needed.add(x)));
  }
  return needed;
}

// ---- All of them

const expected = new Map();
for (const line of (await printed()).split('\n')) {
  const [bits, file, name, output, found] = line.split('\t');
  if (bits === 'bits') expected.set(JSON.stringify([path.basename(file, '.json'), name, output]), found);
}
const context = await ml.createContext({numerics, threads: 2});
let passed = 0, failed = 0;
for (const file of fs.readdirSync(folder).filter(f => f.endsWith('.json')).sort()) {
  for (const test of JSON.parse(fs.readFileSync(path.join(folder, file))).cases) {
    const wanted = test.outputs.map(({name}) => {
      const key = JSON.stringify([path.basename(file, '.json'), test.name, name]), bits = expected.get(key);
      expected.delete(key);
      return [name, bits];
    });
    const found = await compute(context, test).catch(e => e);
    // C changes cases of an older text, which both refuse as they are.
    const lacks = only.length && test.operators.some(o => !only.includes(o.name)), refused = lacks && found.name === 'NotSupportedError';
    const right = wanted.some(([, bits]) => bits === 'adapted') ? refused || found instanceof TypeError
      : lacks ? refused : wanted.every(([name, bits]) => bits && bits === found[name]);
    right ? passed++ : failed++;
    if (!right && failed < 20) console.log(`${file}: ${test.name}: C has ${JSON.stringify(wanted)}, JavaScript ${found instanceof Error ? found : JSON.stringify(found)}`);
  }
}
if (expected.size) { failed++; console.log(`JavaScript has not computed ${expected.size} results, such as ${expected.keys().next().value}`); }
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed || !passed ? 1 : 0);
