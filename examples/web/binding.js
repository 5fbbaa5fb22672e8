// navigator.ml over webnn.h as WebAssembly: every interface of the Web Neural Network API, made from the table that
// generate.mjs writes. No operator is named here.
//
//   const {ml, interfaces, extensions, install} = webnnBinding(table, {wasm: () => bytes, Response, or Module, threads: () => the same})
//
// wasm32's calling convention makes C glue unnecessary: a struct by value is a pointer to a copy, a returned struct
// is a first argument.
//
// There are two parts, and a channel that carries commands from the first to the second and replies back:
//
// - The client, on the calling thread, has a context of webnn.h whose backend consists of JavaScript functions. There
//   webnn.h validates every call, infers shapes and keeps the order of errors. The client holds no data but small integer
//   constants, which may determine sizes. What webnn.h hands to the backend becomes a command.
// - The executor runs the commands with a context of webnn.h for the CPU: in a worker, which has its own instance of the
//   module and runs this same function, or on the calling thread in the client's instance.
//
// With the module of `threads`, whose memory is shared, the calling thread has an instance over the worker's memory, too,
// and the worker has helpers: workers that run slices of a dispatch.
function webnnBinding(T, environment) {
'use strict';
const STATUS = ['', 'TypeError', 'InvalidStateError', 'NotSupportedError', 'OperationError', 'UnknownError'];
const NUMERICS = {fast: 0, reference: 1, relaxed: 2};
const utf8 = new TextEncoder(), text = new TextDecoder();
const S = Object.fromEntries(Object.entries(T.structs).map(([name, s]) => [name, {size: s.size, ...Object.fromEntries(Object.entries(s.members).map(([k, v]) => [k, v[0]]))}]));
const MAX_RANK = T.structs.webnn_list.members.items[2];

// ---- The module and its memory -----------------------------------------------------------------------------------

let C, memory, isShared, bytes, view, starting; // bytes and view: of the memory as it is now
// Memory that grows gets another buffer. The old one is detached unless it is shared, so it is enough to look at the array,
// which takes less time than to ask the memory.
function refreshViews() {
  if (!bytes?.length || isShared && bytes.buffer !== memory.buffer) {
    bytes = new Uint8Array(memory.buffer);
    view = new DataView(memory.buffer);
  }
}
// Setters, since `view.setUint32(p, allocate())` would read `view` before the allocation moves the memory.
const set8 = (p, x) => view.setUint8(p, x), set32 = (p, x) => view.setUint32(p, x, true), setFloat = (p, x) => view.setFloat32(p, x, true);
const get32 = p => { refreshViews(); return view.getUint32(p, true); };

function allocate(size) {
  const p = C.malloc(size || 1) >>> 0;
  if (!p) throw new RangeError('webnn: out of memory');
  refreshViews();
  return p;
}
const encodedStrings = new Map(); // names come again with each dispatch
function encoded(s) {
  let u = encodedStrings.get(s);
  if (!u) {
    u = utf8.encode(`${s.replace(/\0/g, '\u2400')}\0`);
    if (encodedStrings.size >= 1000) encodedStrings.clear();
    encodedStrings.set(s, u);
  }
  return u;
}
// Memory of one call, freed when it returns: from a stack, since nested calls return first, or from the heap if that is too
// small.
const STACK_SIZE = 16384;
let stackAt, stackTop;
class Frame {
  base = stackTop;
  pieces;
  raw(size) {
    const p = stackTop, end = p + (size + 15 & ~15);
    if (size <= STACK_SIZE && end <= stackAt + STACK_SIZE) {
      refreshViews(); // a function of C that ran meanwhile may have allocated
      stackTop = end;
      return p;
    }
    const piece = allocate(size);
    (this.pieces ??= []).push(piece);
    return piece;
  }
  zero(size) { const p = this.raw(size); bytes.fill(0, p, p + size); return p; }
  string(s) { const u = encoded(s), p = this.raw(u.length); bytes.set(u, p); return p; }
  data(u) { const p = this.raw(u.length); bytes.set(u, p); return p; }
  error() { return this.zero(S.webnn_error.size); }
  end() {
    stackTop = this.base;
    this.pieces?.forEach(p => C.free(p));
    refreshViews();
  }
}
const framed = f => { const frame = new Frame(); try { return f(frame); } finally { frame.end(); } };
const cString = p => { refreshViews(); return p ? text.decode(bytes.slice(p, bytes.indexOf(0, p))) : ''; };
const exception = (status, message) => status === 1 ? new TypeError(message) : new DOMException(message, STATUS[status]);
function raise(error) {
  refreshViews();
  const status = view.getInt32(error + S.webnn_error.status, true);
  if (status) throw exception(status, cString(error + S.webnn_error.message));
}

let compiled; // the WebAssembly.Module, for workers
async function compile(code) {
  code = await code;
  if (code.ok === false) throw new Error(`${code.url}: ${code.status}`);
  if (typeof code.arrayBuffer === 'function') code = await code.arrayBuffer(); // a Response (to name that class takes Node 30 ms)
  return code instanceof WebAssembly.Module ? code : WebAssembly.compile(code);
}
async function start() {
  compiled = await compile(environment.wasm());
  await instantiate(compiled);
}
async function instantiate(module, shared) { // `shared`: the memory, where the module has none of its own
  C = await exportsOf(module, shared, () => memory);
  memory = shared ?? C.memory;
  isShared = !!shared;
  C._initialize?.();
  refreshViews();
  stackTop = stackAt = allocate(STACK_SIZE);
}

async function exportsOf(module, shared, memoryOf) {
  const host = new Proxy({}, {get: (_, name) => name === 'memory' ? shared : name === 'clock_time_get'
    ? (id, precision, p) => { new DataView(memoryOf().buffer).setBigUint64(p, BigInt(Math.round(performance.now() * 1e6)), true); return 0; }
    : () => 8}); // EBADF: there are no files
  return (await WebAssembly.instantiate(module, {wasi_snapshot_preview1: host, env: host})).exports;
}

// A JavaScript function as a function pointer of the module. Tables hold functions that a module exports, so this makes a
// module that exports what it imports. `signature`: the parameters, i for 32 bits and l for 64, and the result: 'iil>i'.
function functionPointer(signature, f) {
  const at = C.__indirect_function_table.grow(1);
  C.__indirect_function_table.set(at, asFunction(signature, f));
  return at;
}
function asFunction(signature, f) {
  const [parameters, result] = signature.split('>'), TYPES = {i: 127, l: 126}, section = (id, ...body) => [id, body.length, ...body];
  const code = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0,
    ...section(1, 1, 96, parameters.length, ...[...parameters].map(x => TYPES[x]), result.length, ...[...result].map(x => TYPES[x])),
    ...section(2, 1, 1, 101, 1, 102, 0, 0), ...section(7, 1, 1, 102, 0, 0));
  return new WebAssembly.Instance(new WebAssembly.Module(code), {e: {f}}).exports.f;
}
let writer, written;
function textOf(call) { // what a function of C gives to its webnn_writer
  writer ??= functionPointer('iii>', (user, p, length) => { refreshViews(); written.push(bytes.slice(p, p + length)); });
  written = [];
  call(writer);
  const all = new Uint8Array(written.reduce((n, u) => n + u.length, 0));
  let n = 0;
  for (const u of written) { all.set(u, n); n += u.length; }
  return text.decode(all);
}

// ---- Objects, and memory that nobody frees -----------------------------------------------------------------------

const state = new WeakMap(); // object: {interface, handle, ...}
const handle = o => typeof o === 'number' ? o : state.get(o).handle; // the executor has handles only
const token = Symbol('webnn');
const interfaces = {};

// An engine sees small objects and not the memory of the module behind them. Each object therefore holds an
// ArrayBuffer of as many bytes, which engines count (and which costs no memory, as nobody writes to it); and where
// many bytes wait for their objects to be collected, what returns a promise waits for the collector's callbacks.
const HELD = {bytes: 0, threshold: 64 << 20};
const registry = new FinalizationRegistry(release);
function release(tracked) {
  if (tracked.free) { tracked.free(); tracked.free = undefined; HELD.bytes -= tracked.bytes; }
}
function make(name, fields, tracked) {
  const o = new interfaces[name](token);
  state.set(o, {interface: name, ...fields});
  if (tracked) trackMemory(o, tracked.bytes, tracked.free);
  return o;
}
function trackMemory(o, size, free) {
  const tracked = {bytes: 0, free};
  state.get(o).tracked = tracked;
  setSize(o, size);
  registry.register(o, tracked);
}
function setSize(o, size) { // once it is known
  const s = state.get(o);
  HELD.bytes += size - s.tracked.bytes;
  s.tracked.bytes = size;
  s.ballast = size >= 4096 ? new ArrayBuffer(size) : undefined;
}
function untrackMemory(s) { // destroyed: C has freed its memory, and the small handle waits for the collector
  if (s.tracked?.free) { HELD.bytes -= s.tracked.bytes; s.tracked.bytes = 0; s.ballast = undefined; }
}
// A task of its own: Node's setImmediate, or a message, since a timer would take 4 ms.
let messages;
const tasks = [];
const macrotask = () => new Promise(resolve => {
  if (typeof setImmediate === 'function') return void setImmediate(resolve);
  if (!messages) {
    messages = new MessageChannel();
    messages.port1.onmessage = () => tasks.shift()();
  }
  tasks.push(resolve);
  messages.port2.postMessage(0);
});
// A result that is already there is handed over at once, but every few milliseconds in a task of its own: a program that
// awaits one result after the other still yields to the page's other work.
const YIELD_INTERVAL = 4; // ms
let lastYield = -Infinity, yielding;
function yieldIfDue() {
  if (performance.now() - lastYield < YIELD_INTERVAL) return Promise.resolve();
  return yielding ??= macrotask().then(() => { lastYield = performance.now(); yielding = undefined; }); // one for all that wait
}
// `if (collectionIsDue(size)) await awaitCollection()`: a call that need not wait does not, so that promises are fulfilled
// in the order of the calls.
let allocated = 0; // since the last collection
function collectionIsDue(size) {
  allocated += size;
  return HELD.bytes >= HELD.threshold && allocated >= HELD.threshold / 8;
}
async function awaitCollection() {
  allocated = 0;
  for (let i = 0; i < 8 && HELD.bytes >= HELD.threshold; i++) {
    new ArrayBuffer(HELD.threshold); // counted by the engine, and garbage at once
    await macrotask();
  }
}

// ---- Conversions of Web IDL --------------------------------------------------------------------------------------

const isObject = v => typeof v === 'object' && v !== null || typeof v === 'function';
const INTEGERS = {'unsigned long': [0, 2 ** 32 - 1], long: [-(2 ** 31), 2 ** 31 - 1], 'unsigned long long': [0, 2 ** 53 - 1]};
const CONVERSIONS = {
  boolean: v => !!v,
  'unrestricted double': v => +v,
  USVString: v => { const s = `${v}`; return s.isWellFormed?.() === false ? s.toWellFormed() : s; },
  MLNumber: v => v++, // its value before: a BigInt or a Number, as ToNumeric gives it
  AllowSharedBufferSource(v, what) {
    const buffer = ArrayBuffer.isView(v) ? v.buffer : v;
    if (!(buffer instanceof ArrayBuffer) && !(typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer)) throw new TypeError(`${what} is not a buffer`);
    if (buffer.resizable || buffer.growable) throw new TypeError(`${what} is a buffer that may change its size`);
    return v;
  },
};
function convertInteger([type, enforce], v, what) {
  if (typeof v === 'bigint') throw new TypeError(`${what} is a BigInt`);
  const n = +v, [least, most] = INTEGERS[type];
  if (!enforce) return type === 'long' ? n | 0 : n >>> 0;
  const i = Math.trunc(n);
  if (!(i >= least && i <= most)) throw new TypeError(`${what} is out of range: ${v}`);
  return i + 0; // -0 is 0
}
function convertSequence([, item], v, what) {
  const iterator = isObject(v) ? v[Symbol.iterator] : undefined;
  if (typeof iterator !== 'function') throw new TypeError(`${what} is not a sequence`);
  const list = [];
  for (const x of {[Symbol.iterator]: () => iterator.call(v)}) list.push(convert(item, x, `${what}[${list.length}]`));
  return list;
}
const {propertyIsEnumerable: isEnumerable} = Object.prototype;
function convertRecord([, value], v, what) {
  if (!isObject(v)) throw new TypeError(`${what} is not an object`);
  const map = new Map();
  for (const k of Reflect.ownKeys(v)) {
    if (isEnumerable.call(v, k)) map.set(CONVERSIONS.USVString(k), convert(value, v[k], `${what}.${String(k)}`));
  }
  return map;
}
function convertDictionary(name, v, what) { // members in the order of their names, those of the base first
  const d = T.dictionaries[name];
  if (v !== undefined && v !== null && !isObject(v)) throw new TypeError(`${what} is not an object`);
  const out = d.base ? convertDictionary(d.base, v, what) : {};
  for (const m of d.sorted ??= [...d.members].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const x = v === undefined || v === null ? undefined : v[m.name];
    if (x !== undefined) out[m.name] = convert(m.type, x, `${what}.${m.name}`);
    else if (m.required) throw new TypeError(`${what} has no ${m.name}`);
    else if (m.default !== undefined) out[m.name] = m.default;
  }
  return out;
}
function convert(type, v, what) {
  const [t] = type;
  if (CONVERSIONS[t]) return CONVERSIONS[t](v, what);
  if (INTEGERS[t]) return convertInteger(type, v, what);
  if (t === 'double' || t === 'float') {
    const n = t === 'float' ? Math.fround(v) : +v;
    if (!Number.isFinite(n)) throw new TypeError(`${what} is not a finite number`);
    return n;
  }
  if (t === 'sequence') return convertSequence(type, v, what);
  if (t === 'record') return convertRecord(type, v, what);
  if (t === 'union') return convert(isObject(v) ? type[2] : type[1], v, what);
  if (T.enums[t]) {
    const s = `${v}`;
    if (!Object.hasOwn(T.enums[t], s)) throw new TypeError(`${what}: '${s}' is not a value of ${t}`);
    return s;
  }
  if (T.dictionaries[t]) return convertDictionary(t, v, what);
  if (!T.interfaces[t] || state.get(v)?.interface !== t) throw new TypeError(`${what} is not of type ${t}`);
  return v;
}
const bytesOf = b => ArrayBuffer.isView(b) ? new Uint8Array(b.buffer, b.byteOffset, b.byteLength) : new Uint8Array(b);

// ---- Values of C -------------------------------------------------------------------------------------------------

function setNumber(p, v, integer) {
  const N = S.webnn_number;
  if (typeof v === 'bigint' || integer) {
    const b = BigInt(v), low = -(2n ** 63n), high = 2n ** 64n - 1n; // clamped, as the largest integer type would
    view.setBigUint64(p + N.integer, BigInt.asUintN(64, b < low ? low : b > high ? high : b), true);
    view.setInt32(p + N.kind, b < 0n ? 2 : 3, true);
  } else {
    view.setFloat64(p + N.f64, v, true);
    view.setInt32(p + N.kind, 1, true);
  }
}
function setList(p, items, set) {
  items.slice(0, MAX_RANK).forEach((x, i) => set(p + S.webnn_list.items + 4 * i, x));
  set32(p + S.webnn_list.count, items.length);
  set8(p + S.webnn_list.given, 1);
}
const readList = p => view.getUint8(p + S.webnn_list.given) === 0 ? null : Object.freeze(Array.from({length: get32(p + S.webnn_list.count)}, (_, i) => get32(p + S.webnn_list.items + 4 * i)));

function setMember(frame, m, q, v) {
  const [t, of] = m.type;
  if (t === 'USVString') set32(q, frame.string(v));
  else if (t === 'MLOperand') set32(q, handle(v));
  else if (m.c === 'webnn_number') setNumber(q, v, t === 'unsigned long');
  else if (t === 'sequence') setList(q, v, of[0] === 'float' ? setFloat : T.enums[of[0]] ? (r, x) => set32(r, T.enums[of[0]][x]) : set32);
  else if (t === 'boolean') set8(q, m.opposite ? !v : v);
  else if (T.enums[t]) set32(q, T.enums[t][v]);
  else if (m.default === 1 && v === 0) throw new TypeError(`${m.name} must not be 0`); // in C 0 is "not given"
  else set32(q, v);
}
function optionsIn(frame, name, d) {
  const p = frame.zero(T.dictionaries[name].size);
  for (let at = T.dictionaries[name]; at; at = T.dictionaries[at.base]) {
    for (const m of at.members) if (d[m.name] !== undefined && m.offset !== undefined) {
      try { setMember(frame, m, p + m.offset, d[m.name]); } catch (e) { throw d.label ? new TypeError(`[${d.label}] ${e.message}`) : e; }
    }
  }
  return p;
}
function descriptorIn(frame, d) { // of operands and of tensors: one begins as the other
  const D = S.webnn_tensor_descriptor, p = frame.zero(D.size);
  set32(p + D.data_type, T.enums.MLOperandDataType[d.dataType]);
  setList(p + D.shape, d.shape, set32);
  set8(p + D.readable, d.readable ? 1 : 0);
  set8(p + D.writable, d.writable ? 1 : 0);
  return p;
}
function namedIn(frame, map, inC) { // webnn_named_operand, webnn_named_tensor; inC: the names that C has for others
  const p = frame.raw(8 * map.size);
  let at = p;
  for (const [name, o] of map) {
    set32(at, frame.string(inC?.get(name) ?? name));
    set32(at + 4, handle(o));
    at += 8;
  }
  return p;
}
const DATA_TYPE = Object.fromEntries(Object.entries(T.enums.MLOperandDataType).map(([k, v]) => [v, k]));
const BITS = Object.fromEntries(Object.keys(T.enums.MLOperandDataType).map(name => [name, +name.replace(/\D/g, '')]));
const byteLength = d => Math.ceil(d.shape.reduce((n, x) => n * x, 1) * BITS[d.dataType] / 8);

// A call with a place for an error, which is raised, and one with a place for the handle that it makes, too.
const raising = call => framed(f => {
  const e = f.error();
  call(f, e);
  raise(e);
});
const createHandle = call => framed(f => {
  const at = f.zero(4);
  raising((_, e) => call(f, at, e));
  return get32(at);
});
function checkResult(h, p, label) { // of a builder's method: NULL is an error, which is then cleared
  if (p) return p;
  const status = C.webnn_builder_status(h), message = cString(C.webnn_builder_message(h));
  C.webnn_builder_clear_error(h);
  throw exception(status, (label ? `[${label}] ` : '') + message);
}
function contextOptionsIn(f, d, numerics, {backend = 0, pool}) {
  const p = optionsIn(f, 'MLContextOptions', d), O = S.webnn_context_options;
  set32(p + O.backend, backend);
  set32(p + O.numerics, NUMERICS[numerics]);
  set32(p + O.threads, pool?.threads ?? 1);
  if (pool) {
    set32(p + O.parallel_for, pool.parallelFor);
    set32(p + O.parallel_for_user, pool.at);
  }
  view.setBigUint64(p + O.max_tensor_byte_length, 2n ** 31n - 1n, true);
  return p;
}

// A value of the IDL's type with each operand in it replaced by f.
function mapOperands(type, v, f) {
  if (v === undefined) return v;
  if (type[0] === 'MLOperand') return f(v);
  if (type[0] === 'sequence') return type[1][0] === 'MLOperand' ? v.map(f) : v;
  if (!T.dictionaries[type[0]]) return v;
  const out = {...v};
  for (let d = T.dictionaries[type[0]]; d; d = T.dictionaries[d.base]) {
    for (const m of d.members) if (out[m.name] !== undefined) out[m.name] = mapOperands(m.type, out[m.name], f);
  }
  return out;
}
const rowOf = op => T.operators[op] ?? T.more[op];
const argumentsOf = op => T.more[op]?.arguments ?? T.interfaces.MLGraphBuilder.operations[op][0].arguments;

const MOST_PARTS = 8192; // of a split
// Calls an operator's function of C with the builder h; the operands that it makes.
function callOperator(h, op, given) {
  const row = rowOf(op), call = [h];
  let label = '', c = row.c, room = T.more[op] ? MOST_PARTS : 3;
  return framed(f => {
    argumentsOf(op).forEach((a, i) => {
      const v = given[i], [t, of] = a.type;
      if (t === 'MLOperand') call.push(handle(v));
      else if (Array.isArray(v) && (a.many || of[0] === 'MLOperand')) { // an array and its length
        const p = f.zero(4 * v.length);
        v.forEach((x, k) => set32(p + 4 * k, a.many ? x : handle(x)));
        call.push(p, v.length);
        if (a.many) { c = a.many; room = v.length; }
      } else if (t === 'sequence') {
        const p = f.zero(S.webnn_list.size);
        if (v !== undefined) setList(p, v, set32);
        call.push(p);
      } else if (T.enums[t]) call.push(T.enums[t][v]);
      else if (T.dictionaries[t]) { label = v.label; call.push(optionsIn(f, t, v)); }
      else { if (a.many) room = Math.min(v, MOST_PARTS) + 1; call.push(v); }
    });
    if (!C[c]) throw new DOMException(`${op}: the module is built without it`, 'NotSupportedError');
    if (!row.outputs) return [checkResult(h, C[c](...call), label)];
    const at = f.zero(4 * Math.max(room, 3)), n = checkResult(h, C[c](...call, at), label);
    return Array.from({length: n}, (_, i) => get32(at + 4 * i));
  });
}

// ---- Threads of the executor -------------------------------------------------------------------------------------

// A helper is a worker with an instance of the module over the memory of the executor, and with a stack of its own
// there. It runs slices of steps and nothing else. These neither allocate nor change a variable of the module, so that
// a libc without locks will do, and what they call is in the same place of each instance's table.
//
// Helpers that work together share a few words of that memory. Who takes a slice may read the job, since it cannot end
// before that slice is done; the caller takes slices like the others, and all of them if nobody comes.
const POOL = {left: 0, unfinished: 1, task: 2, data: 3, failed: 4, helped: 5, size: 6};
const MOST_THREADS = 64, STACK = 131072; // bytes for each helper; webnn.h asks for half of them
const pools = new Map(); // by the number of threads

// Takes slices as long as there are any: the caller from the front, helpers from the back, so that neighbours are mostly
// computed by one thread. The lower half of `left` counts those left, the upper half those that the caller took.
function takeSlices(words, POOL, table, isCaller) {
  for (let state; (state = Atomics.load(words, POOL.left)) !== 0;) {
    const left = state & 0xffff, front = state >> 16;
    if (Atomics.compareExchange(words, POOL.left, state, left === 1 ? 0 : state - 1 + (isCaller ? 0x10000 : 0)) !== state) continue;
    try { table.get(words[POOL.task])(words[POOL.data], isCaller ? front : front + left - 1); } catch { Atomics.store(words, POOL.failed, 1); }
    if (!isCaller) Atomics.add(words, POOL.helped, 1);
    if (Atomics.sub(words, POOL.unfinished, 1) === 1) Atomics.notify(words, POOL.unfinished);
  }
}
// Waits until a word is zero, or is not: awake at first, since the next job of a graph is often microseconds away.
function waitFor(words, at, zero, spin) {
  const until = spin > 0 ? performance.now() + spin : 0;
  while ((Atomics.load(words, at) === 0) !== zero && performance.now() < until);
  for (let now; ((now = Atomics.load(words, at)) === 0) !== zero;) Atomics.wait(words, at, now);
}
// A helper's program, which has these functions and nothing else of the binding. It ends with its worker.
function helperMain(port, takeSlices, waitFor, POOL) {
  const receive = async ({module, memory, at, stack, spin}) => {
    const host = new Proxy({}, {get: (_, name) => name === 'memory' ? memory : () => 8}), words = new Int32Array(memory.buffer, at, POOL.size);
    const {__indirect_function_table: table, __stack_pointer: top} = (await WebAssembly.instantiate(module, {wasi_snapshot_preview1: host, env: host})).exports;
    port.postMessage({ready: true});
    for (;;) {
      top.value = stack; // a slice that failed has left it elsewhere
      takeSlices(words, POOL, table, false);
      waitFor(words, POOL.left, false, spin);
    }
  };
  if (port.on) port.on('message', receive);
  else port.onmessage = e => receive(e.data);
}
const helperSource = port => `(${helperMain})(${port}, ${takeSlices}, ${waitFor}, ${JSON.stringify(POOL)});`;

function poolFor(threads) { // undefined where there can be none
  if (threads < 2 || !C.__stack_pointer) return undefined;
  if (pools.has(threads)) return pools.get(threads);
  const at = allocateZeroed('createContext', 4 * POOL.size), spin = threads <= processors() ? 0.05 : 0;
  const pool = {threads, at, spin, words: new Int32Array(memory.buffer, at, POOL.size), parallelFor: pools.values().next().value?.parallelFor ?? functionPointer('iiii>', parallelFor)};
  pools.set(threads, pool);
  return pool;
}
const byAddress = at => [...pools.values()].find(pool => pool.at === at >>> 0);
const processors = () => globalThis.navigator?.hardwareConcurrency ?? globalThis.process?.getBuiltinModule?.('node:os')?.availableParallelism() ?? 1;
// Starts a pool's helpers when there is work for them for the first time; promises how many there are.
function startHelpers(pool) {
  return pool.helpers ??= Promise.all(Array.from({length: pool.threads - 1}, () => new Promise(resolve => {
    const stack = C.malloc(STACK) >>> 0;
    let worker;
    try { worker = stack ? makeWorker(helperSource) : undefined; } catch { /* forbidden */ }
    if (!worker) return resolve(false);
    worker.listen(() => { worker.started(); resolve(true); }, () => resolve(false));
    worker.post({module: compiled, memory, at: pool.at, stack: stack + STACK, spin: pool.spin}, []);
  }))).then(all => all.filter(Boolean).length);
}
function parallelFor(user, count, task, data) {
  const pool = byAddress(user), {words} = pool;
  startHelpers(pool);
  words[POOL.task] = task;
  words[POOL.data] = data;
  Atomics.store(words, POOL.unfinished, count);
  Atomics.store(words, POOL.left, count);
  Atomics.notify(words, POOL.left);
  takeSlices(words, POOL, C.__indirect_function_table, true);
  waitFor(words, POOL.unfinished, true, pool.spin);
  if (Atomics.exchange(words, POOL.failed, 0)) throw new Error('a thread of the dispatch has stopped');
}

// ---- The executor: what computes ---------------------------------------------------------------------------------

const executor = {contexts: new Map(), tensors: new Map(), graphs: new Map(), constantData: new Map()}; // by the numbers that the client gives
const UNKNOWN = 5;
const allocateZeroed = (what, size) => C.calloc(size || 1, 1) >>> 0 || (() => { throw exception(UNKNOWN, `${what}: out of memory`); })();
function copyIn(what, data) {
  const p = allocateZeroed(what, data.length);
  refreshViews();
  bytes.set(data, p);
  return p;
}
function releaseConstantData(id) { // the data of constants, which graphs share
  const data = executor.constantData.get(id);
  if (!data || --data.users > 0) return;
  C.free(data.at);
  executor.constantData.delete(id);
}
function endGraph(id) {
  const graph = executor.graphs.get(id);
  executor.graphs.delete(id);
  C.webnn_free_graph(graph.handle);
  for (const at of [graph.inputs, graph.outputs, graph.time]) C.free(at);
  graph.constantData.forEach(releaseConstantData);
}
const MAKERS = {
  input: (f, h, c) => C.webnn_input(h, f.string(c.name), descriptorIn(f, c.descriptor)),
  number(f, h, c) { const p = f.zero(S.webnn_number.size); setNumber(p, c.value); return C.webnn_constant_from_number(h, T.enums.MLOperandDataType[c.type], p); },
  constant(f, h, c) {
    const data = executor.constantData.get(c.dataId);
    if (!data) throw exception(UNKNOWN, 'build: out of memory');
    return C.webnn_constant_over_memory(h, descriptorIn(f, c.descriptor), data.at, data.size);
  },
};
// The graph of a builder's calls, which the client has checked. Operands are numbers in the order of their making, and
// names of dimensions have the numbers that they have there, by their order.
function replay(h, {calls, outputs, dimensions, donations}) {
  const operands = [], operand = i => operands[i];
  for (const name of dimensions) framed(f => C.webnn_dynamic_dimension(h, f.string(name)));
  for (const c of calls) {
    if (c.op === undefined) operands[c.at] = framed(f => checkResult(h, MAKERS[c.kind](f, h, c)));
    else callOperator(h, c.op, argumentsOf(c.op).map((a, i) => mapOperands(a.type, c.given[i], operand))).forEach((p, i) => { operands[c.at + i] = p; });
  }
  for (const [input, output] of donations) checkResult(h, C.webnn_donate(h, operands[input], operands[output]));
  return createHandle((f, at, e) => C.webnn_build(h, namedIn(f, new Map(outputs.map(([name, i]) => [name, operands[i]]))), outputs.length, at, e));
}
// Room for webnn_named_tensor of each port of a graph, with the names.
function portsOf(h, list) {
  const n = list(h, 0, 0), P = S.webnn_graph_port, to = allocateZeroed('build', 8 * n);
  framed(f => {
    const ports = f.zero(P.size * n);
    list(h, ports, n);
    for (let i = 0; i < n; i++) set32(to + 8 * i, get32(ports + P.size * i + P.name));
  });
  return to;
}
function memoryOf(h) {
  return framed(f => {
    const p = f.zero(S.webnn_memory.size);
    C.webnn_graph_memory(p, h);
    refreshViews();
    return Object.fromEntries(Object.keys(T.structs.webnn_memory.members).map(k => [k, Number(view.getBigUint64(p + S.webnn_memory[k], true))]));
  });
}
function storageOf(id) {
  refreshViews();
  const {at, size} = executor.tensors.get(id);
  return bytes.subarray(at, at + size);
}
const bind = (at, ids) => ids.forEach((id, i) => set32(at + 8 * i + 4, executor.tensors.get(id).handle));
const COMMANDS = {
  context({id, options, numerics, threads}) {
    const pool = poolFor(threads), h = createHandle((f, at, e) => C.webnn_create_context(contextOptionsIn(f, options, numerics, {pool}), at, e));
    executor.contexts.set(id, {handle: h, constantData: new Set(), pool});
    return framed(f => {
      const p = f.zero(S.webnn_limits.size);
      C.webnn_context_limits(h, p);
      return {layout: get32(p + S.webnn_limits.preferred_input_layout), address: {handle: h, parallelFor: pool?.parallelFor}};
    });
  },
  endContext({id}) { // its graphs and tensors have been released
    const {handle: h, constantData} = executor.contexts.get(id) ?? {};
    if (!h) return;
    for (const [graph, {context}] of executor.graphs) if (context === id) endGraph(graph); // those with open sizes
    executor.contexts.delete(id);
    C.webnn_free_context(h);
    for (const data of constantData) if (executor.constantData.has(data)) { executor.constantData.get(data).users = 1; releaseConstantData(data); }
  },
  tensor({id, context, descriptor}) {
    const size = byteLength(descriptor), at = allocateZeroed('createTensor', size);
    try {
      const h = createHandle((f, to, e) => C.webnn_create_tensor_over_memory(executor.contexts.get(context).handle, descriptorIn(f, descriptor), at, size, to, e));
      executor.tensors.set(id, {handle: h, at, size});
      return {address: {handle: h, at, size}};
    } catch (e) { C.free(at); throw e; }
  },
  freeTensor({id}) {
    const tensor = executor.tensors.get(id);
    if (!tensor) return; // there was no memory for it
    executor.tensors.delete(id);
    C.webnn_free_tensor(tensor.handle);
    C.free(tensor.at);
  },
  constantData({id, context, data}) {
    executor.constantData.set(id, {at: copyIn('createConstantTensor', bytesOf(data)), size: data.byteLength, users: 1});
    executor.contexts.get(context)?.constantData.add(id);
  },
  releaseConstantData({id, context}) { executor.contexts.get(context)?.constantData.delete(id); releaseConstantData(id); },
  write({id, data}) { refreshViews(); bytes.set(bytesOf(data), executor.tensors.get(id).at); },
  read: ({id, stays}) => stays ? undefined : storageOf(id).slice().buffer,
  build({id, context, isOpen, ...made}) {
    const b = createHandle((f, at, e) => C.webnn_create_builder(executor.contexts.get(context).handle, at, e));
    let h;
    try { h = replay(b, made); } finally { C.webnn_free_builder(b); }
    const constantData = [...new Set(made.calls.flatMap(c => c.kind === 'constant' ? [c.dataId] : []))];
    constantData.forEach(s => executor.constantData.get(s).users++);
    const graph = {handle: h, context, constantData, inputs: portsOf(h, C.webnn_graph_inputs), outputs: portsOf(h, C.webnn_graph_outputs), time: allocateZeroed('build', 4)};
    executor.graphs.set(id, graph);
    const memory = memoryOf(h), nodes = textOf(w => C.webnn_print_graph(h, w, 0)).split('\n').filter(line => /^%/.test(line) && !/ = constant /.test(line));
    memory.constants += constantData.reduce((n, s) => n + executor.constantData.get(s).size, 0);
    const {inputs, outputs, time} = graph;
    return {memory, address: {handle: h, inputs, outputs, time: isOpen ? undefined : time}, lacking: nodes.flatMap((line, i) => line.endsWith(' (reference kernel)') ? [i] : [])};
  },
  freeGraph({id}) { if (executor.graphs.has(id)) endGraph(id); },
  run({id, context, inputs, outputs}) {
    const graph = executor.graphs.get(id), began = performance.now();
    refreshViews();
    bind(graph.inputs, inputs);
    bind(graph.outputs, outputs);
    raising((_, e) => C.webnn_dispatch(executor.contexts.get(context).handle, graph.handle, graph.inputs, inputs.length, graph.outputs, outputs.length, e));
    setFloat(graph.time, performance.now() - began || QUICK / 10); // a clock may stand still meanwhile
  },
  async threads({context}) {
    const {pool} = executor.contexts.get(context) ?? {};
    return pool ? {threads: 1 + await startHelpers(pool), helped: Atomics.load(pool.words, POOL.helped)} : {threads: 1, helped: 0};
  },
  steps: ({id}) => textOf(w => C.webnn_print_steps(executor.graphs.get(id).handle, w, 0)),
  profile({id, on}) {
    const h = executor.graphs.get(id).handle;
    if (on === undefined) return textOf(w => C.webnn_print_profile(h, w, 0));
    raising((_, e) => C.webnn_profile_graph(h, on ? 1 : 0, e));
    return '';
  },
};
function execute(command) {
  try { return {value: COMMANDS[command.to](command)}; } catch (e) {
    const status = Math.max(STATUS.indexOf(e.name), 0) || UNKNOWN; // a trap of the module, too, is an UnknownError
    return {error: {status, message: e.message}};
  }
}
// Memory that threads share has a limit, for which some systems reserve addresses at once: the most that they give.
// The least and the most are those of webnn-threads.wasm.
function sharedMemory() {
  for (let maximum = 65536; ; maximum /= 2) {
    try { return new WebAssembly.Memory({initial: 64, maximum, shared: true}); } catch (e) { if (maximum < 4096) throw e; }
  }
}
// In the worker: takes the module, then lists of commands. Those with a number are replied to, all of a list together, and
// with them the buffers of data that were written go back.
function serve(port) {
  let returned = [], area;
  const send = replies => {
    port.postMessage({replies, bytes: memory.buffer.byteLength, returned}, [...returned, ...replies.map(r => r.value).filter(v => v instanceof ArrayBuffer)]);
    returned = [];
  };
  const executeAll = commands => {
    const replies = [];
    for (const command of commands) {
      const {value, error} = execute(command), {reply, to} = command;
      if (to === 'write') returned.push(command.data);
      if (value instanceof Promise) value.then(later => send([{reply, value: later}]));
      else if (reply !== undefined) replies.push({reply, value, error});
      else if (error && to === 'run') port.postMessage({lost: command.context, error});
    }
    if (area) Atomics.add(new Int32Array(memory.buffer, area.at, 1), 0, 1);
    if (replies.length) send(replies);
  };
  const receive = async given => {
    if (!given.module) return executeAll(given);
    compiled = given.module;
    try {
      await instantiate(compiled, given.shared ? sharedMemory() : undefined);
      if (given.shared) area = {memory, at: allocateZeroed('createContext', AREA.size), stack: allocateZeroed('createContext', STACK) + STACK};
      port.postMessage({ready: true, area});
    } catch { port.postMessage({ready: false}); }
  };
  if (port.on) port.on('message', receive);
  else port.onmessage = e => receive(e.data);
}

// ---- Channels to the executor ------------------------------------------------------------------------------------

// Both channels have
//   send(command)     a command without a reply; returns an error if it is known at once
//   request(command)  a command whose reply is promised
//   capture(bytes)    the caller's bytes as a command may hold them: the caller may change them when the call has returned
//   write(id, bytes)  a tensor gets the bytes
//   read(id, out)     promises the bytes of a tensor as they are now, in the array `out` if there is one
const localChannel = {
  name: 'calling',
  capture: u => u,
  write(id, data) { return this.send({to: 'write', id, data}); },
  send(command) {
    snapshotReads(command);
    return execute(command).error;
  },
  request(command) {
    const {value, error} = execute(command);
    return error ? Promise.reject(exception(error.status, error.message)) : Promise.resolve(value);
  },
  read: (id, out) => readLater(id, out, yieldIfDue(), () => storageOf(id), () => storageOf(id).slice()),
};
// A read whose bytes stay in the tensor until `when`, if no command changes the tensor before: `now` gives them then, and
// `keep`, which is called before such a command, a copy or the promise of one.
const pendingReads = new Map(); // by tensors
async function readLater(id, out, when, now, keep) {
  const read = {keep}, forget = () => {
    const rest = (pendingReads.get(id) ?? []).filter(other => other !== read);
    rest.length ? pendingReads.set(id, rest) : pendingReads.delete(id);
  };
  pendingReads.set(id, [...pendingReads.get(id) ?? [], read]);
  try { await when; } finally { forget(); }
  if (read.cancelled) return undefined; // its promise was rejected
  return deliver(read.kept ? await read.kept : now(), out);
}
function snapshotReads({to, id, outputs}) {
  for (const changed of to === 'write' || to === 'freeTensor' ? [id] : to === 'run' ? outputs : []) {
    const reads = pendingReads.get(changed) ?? [];
    pendingReads.delete(changed);
    for (const read of reads) to === 'freeTensor' ? read.cancelled = true : read.kept = read.keep();
  }
}
function deliver(from, out) {
  if (out === undefined) return from.slice().buffer;
  const to = bytesOf(out);
  if (to.length < from.length) throw new TypeError('outputData was detached');
  to.set(from);
}

const source = port => `(${webnnBinding})(${JSON.stringify(T)}, {}).serve(${port});`;
// The workers of pages, or those of Node, Deno and Bun, which do not keep a process that awaits nothing; undefined where
// there are none.
function makeWorker(source) {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (threads) {
    const worker = new threads.Worker(source("process.getBuiltinModule('node:worker_threads').parentPort"), {eval: true, name: 'webnn'});
    return {
      post: (m, transfer) => worker.postMessage(m, transfer),
      listen(message, error) { worker.on('message', message); worker.on('error', error); },
      started() {}, keep(busy) { busy ? worker.ref() : worker.unref(); }, end() { worker.terminate(); },
    };
  }
  if (typeof Worker !== 'function' || typeof Blob !== 'function') return undefined;
  const url = URL.createObjectURL(new Blob([source('self')], {type: 'text/javascript'})), worker = new Worker(url, {type: 'module', name: 'webnn'});
  return {
    post: (m, transfer) => worker.postMessage(m, transfer),
    listen(message, error) { worker.onmessage = e => message(e.data); worker.onerror = e => { e.preventDefault?.(); error(); }; },
    started() { URL.revokeObjectURL(url); }, keep() {}, end() { worker.terminate(); },
  };
}
// Buffers that came back from the worker, for data of the same size: the memory of a new one costs as much as two copies.
function spareBuffers() {
  const bySize = new Map();
  let held = 0;
  return {
    add(buffer) {
      if (buffer.byteLength > 1 << 25) return;
      if (held + buffer.byteLength > 1 << 25) { // of sizes that do not come any more
        bySize.clear();
        held = 0;
      }
      held += buffer.byteLength;
      bySize.get(buffer.byteLength)?.push(buffer) ?? bySize.set(buffer.byteLength, [buffer]);
    },
    copyOf(u) {
      const buffer = bySize.get(u.length)?.pop();
      if (!buffer) return u.slice().buffer;
      held -= buffer.byteLength;
      new Uint8Array(buffer).set(u);
      return buffer;
    },
  };
}
// The calling thread's instance of the module over the memory that it shares with the worker, with its own stack. While the
// worker is idle, the calling thread copies data from and to tensors there and runs graphs that take no longer than a
// message. The two never run at once: the worker counts the lists of commands that it has finished, and the calling thread
// compares the count with that of the lists that it has sent.
const QUICK = 0.1; // ms
// The part of that memory which the worker reserves for it: the worker's count, and room for an error.
const AREA = {done: 0, error: 8, size: 8 + S.webnn_error.size};
class SharedInstance {
  addresses = new Map(); // of contexts, tensors and graphs in that memory, by their numbers
  constructor(C, shared, at, stack) {
    Object.assign(this, {C, shared, at, stack, bytes: new Uint8Array(shared.buffer), view: new DataView(shared.buffer), counter: new Int32Array(shared.buffer, at, 1)});
    C.__stack_pointer.value = stack;
  }
  done() { return Atomics.load(this.counter, 0); }
  add(id, address) {
    const table = this.C.__indirect_function_table, {parallelFor: index} = address;
    this.addresses.set(id, address);
    if (index === undefined) return;
    if (index >= table.length) table.grow(index + 1 - table.length);
    table.set(index, asFunction('iiii>', (user, count, task, data) => { for (let i = 0; i < count; i++) table.get(task)(data, i); }));
  }
  remove(id) { this.addresses.delete(id); }
  reaches(end) { // memory grows on the other side
    if (end > this.bytes.length) { this.bytes = new Uint8Array(this.shared.buffer); this.view = new DataView(this.shared.buffer); }
    return end <= this.bytes.length;
  }
  storage(id) { // undefined where it cannot be seen
    const {at, size} = this.addresses.get(id) ?? {};
    return at !== undefined && this.reaches(at + size) ? this.bytes.subarray(at, at + size) : undefined;
  }
  isQuick(id) {
    const {time} = this.addresses.get(id) ?? {}, ms = time && this.reaches(time + 4) ? this.view.getFloat32(time, true) : 0;
    return ms > 0 && ms < QUICK;
  }
  bind(at, ids) { ids.forEach((id, i) => this.view.setUint32(at + 8 * i + 4, this.addresses.get(id).handle, true)); }
  run({id, context, inputs, outputs}) { // an error, or undefined
    const graph = this.addresses.get(id), error = this.at + AREA.error, began = performance.now();
    let status;
    this.bind(graph.inputs, inputs);
    this.bind(graph.outputs, outputs);
    try {
      status = this.C.webnn_dispatch(this.addresses.get(context).handle, graph.handle, graph.inputs, inputs.length, graph.outputs, outputs.length, error);
    } catch (e) {
      this.C.__stack_pointer.value = this.stack;
      return {status: UNKNOWN, message: e.message};
    }
    this.view.setFloat32(graph.time, performance.now() - began || QUICK / 10, true);
    return status ? {status, message: this.message(error + S.webnn_error.message)} : undefined;
  }
  message(at) { return text.decode(this.bytes.slice(at, this.bytes.indexOf(0, at))); }
}
const openInstance = async (module, {memory: shared, at, stack}) => new SharedInstance(await exportsOf(module, shared, () => shared), shared, at, stack);

// The channel to a worker. Commands wait for the next dispatch or request, since a message costs more than most of them. A
// timer sends commands that neither follows. Reads of the same turn go together, since several tensors are often read.
class WorkerChannel {
  name = 'worker';
  bytes = 0; // that its module has
  waiting = new Map(); // {resolve, reject, id} of questions by the numbers of their replies
  spare = spareBuffers();
  commands = [];
  sent = 0; // lists of commands
  timer;
  reading;
  constructor(worker, instance, onEnd) { Object.assign(this, {worker, instance, onEnd}); }
  post() {
    const batch = this.commands;
    this.commands = [];
    if (!batch.length) return;
    this.sent = this.sent + 1 | 0;
    this.worker.post(batch, batch.flatMap(c => c.data ?? []));
  }
  isIdle() { return this.instance && !this.commands.length && this.instance.done() === this.sent; }
  // A copy, and a buffer rather than an array, of which Deno looks at each element.
  capture(u) { return this.spare.copyOf(u); }
  write(id, u) {
    const to = this.isIdle() ? this.instance.storage(id) : undefined;
    if (!to) return this.send({to: 'write', id, data: this.capture(u)});
    snapshotReads({to: 'write', id});
    to.set(u);
    return undefined;
  }
  send(command) {
    snapshotReads(command);
    if (command.to === 'run' && this.isIdle() && this.instance.isQuick(command.id)) return this.instance.run(command);
    if (command.to.startsWith('free') || command.to === 'endContext') this.instance?.remove(command.id);
    this.commands.push(command);
    if (command.to === 'run') this.post();
    else this.timer ??= setTimeout(() => { this.timer = undefined; this.post(); }, 0);
  }
  request(command) {
    return new Promise((resolve, reject) => {
      command.reply = ++numbers;
      this.waiting.set(command.reply, {resolve, reject, id: command.id});
      this.worker.keep(true);
      this.commands.push(command);
      if (command.to !== 'read') this.post();
      else this.reading ??= Promise.resolve().then(() => { this.reading = undefined; this.post(); });
    });
  }
  copy(id) { return this.request({to: 'read', id}).then(buffer => new Uint8Array(buffer)); }
  read(id, out) {
    const now = () => this.instance.storage(id), keep = () => {
      if (this.isIdle()) return now().slice(); // the worker has replied, and nothing is on its way that would copy in time
      const copy = this.copy(id);
      copy.catch(() => {});
      return copy;
    };
    if (!this.instance || !now()) return this.copy(id).then(u => out === undefined ? u.buffer : deliver(u, out));
    return readLater(id, out, this.isIdle() ? yieldIfDue() : this.request({to: 'read', id, stays: true}), now, keep);
  }
  receive({replies, bytes: size, returned, lost, error: why}) {
    if (lost !== undefined) return loseContext(lost, why.message);
    this.bytes = size;
    returned.forEach(this.spare.add);
    for (const {reply, value, error} of replies) {
      const {resolve, reject, id} = this.waiting.get(reply);
      this.waiting.delete(reply);
      if (value?.address) this.instance?.add(id, value.address);
      error ? reject(exception(error.status, error.message)) : resolve(value);
    }
    if (!this.waiting.size) this.worker.keep(false);
  }
  end() { // the worker has stopped
    const stopped = exception(UNKNOWN, 'the worker has stopped');
    this.instance = undefined;
    this.send = this.receive = () => {};
    this.request = () => Promise.reject(stopped);
    for (const {reject} of this.waiting.values()) reject(stopped);
    this.waiting.clear();
    this.worker.end();
    this.onEnd(this);
  }
}
// The channel to the worker with the module of threads or the plain one. Without the former it is a plain one, and where no
// worker can be made `localChannel`.
const workerChannels = {plain: undefined, threads: undefined}, channels = new Set(); // promises of channels, and those that are open
const workerChannel = which => workerChannels[which] ??= startWorker(which);
const mayShare = () => typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
let threadsModule;
const loadThreads = () => threadsModule ??= (async () => compile(environment.threads()))().catch(() => undefined); // a page may not have it
function deleteChannel(channel) { // its worker has stopped; the next context gets another
  workerChannels.plain = workerChannels.threads = undefined; // which may be the same
  channels.delete(channel);
  for (const [id, s] of client.contexts) if (s.channel === channel) loseContext(id, 'the worker has stopped');
}
async function startWorker(which) {
  const module = which === 'threads' ? await loadThreads() : compiled;
  if (!module) return workerChannel('plain');
  return new Promise(resolve => {
    let worker, channel;
    const fail = () => { worker?.end(); resolve(which === 'threads' ? workerChannel('plain') : localChannel); };
    try { worker = makeWorker(source); } catch { /* forbidden */ }
    if (!worker) return fail();
    worker.listen(async m => {
      if (channel) return channel.receive(m);
      worker.started();
      if (!m.ready) return fail();
      worker.keep(false);
      const instance = m.area && await openInstance(module, m.area).catch(() => undefined);
      channel = new WorkerChannel(worker, instance, deleteChannel);
      channels.add(channel);
      resolve(channel);
    }, () => { if (channel) channel.end(); else fail(); });
    worker.post({module, shared: which === 'threads'}, []);
  });
}

// ---- The client: the backend of its contexts ------------------------------------------------------------------

let numbers = 0; // of contexts, storages, graphs, data of constants and replies
const client = {contexts: new Map(), reads: new Map(), plans: new Map()};
const UNUSED_POINTER = 16; // not NULL, aligned, never read
let currentCall = {}; // what the backend's functions need beside their arguments, and what they return to the caller
const channelOf = device => client.contexts.get(device).channel;
function fail(error, {status, message}) {
  const u = utf8.encode(message).subarray(0, S.webnn_error.size - 5);
  refreshViews();
  view.setInt32(error, status, true);
  bytes.set(u, error + S.webnn_error.message);
  bytes[error + S.webnn_error.message + u.length] = 0;
  return status;
}
function storages(at, n) {
  const ids = [];
  refreshViews();
  for (let i = 0; i < n; i++) ids.push(view.getUint32(at + 4 * i, true));
  return ids;
}
const BACKEND = {
  open(context, device) { refreshViews(); set32(device, currentCall.id); return 0; },
  close() {},
  limits(device, limits) { refreshViews(); set32(limits + S.webnn__device_limits.preferred_input_layout, currentCall.layout); },
  create_storage(device, type, length, over, storage) {
    const id = ++numbers;
    refreshViews();
    set32(storage, id);
    if (over) return 0; // a question whether there could be such a tensor
    client.reads.set(id, new Set());
    currentCall.id = id;
    currentCall.reply = channelOf(device).request({to: 'tensor', id, context: device, descriptor: currentCall.descriptor});
    return 0;
  },
  release_storage(device, id) {
    const reads = client.reads.get(id);
    if (!reads) return;
    client.reads.delete(id);
    for (const reject of reads) reject(exception(2, 'readTensor: the tensor was destroyed, or the context lost, while waiting'));
    channelOf(device).send({to: 'freeTensor', id});
  },
  write(device, id, data, length, error) {
    const failed = channelOf(device).write(id, currentCall.data);
    return failed ? fail(error, failed) : 0;
  },
  read(device, id) { currentCall.id = id; currentCall.reply = channelOf(device).read(id, currentCall.out); return 0; },
  compile(device, program, plan, error) {
    const {graph, needed} = currentCall;
    if (graph) { // of a graph with open sizes, for those of a call: the executor's graph makes its own
      refreshViews();
      set32(plan, ++numbers);
      client.plans.set(numbers, {device, lacking: [], of: graph.plan});
      return 0;
    }
    if (needed.wrong) return fail(error, {status: 1, message: `build: ${needed.wrong}`});
    startBuild(device, false);
    refreshViews();
    set32(plan, currentCall.plan);
    return 0;
  },
  release_plan(device, id) {
    const isOf = client.plans.get(id)?.of;
    client.plans.delete(id);
    if (isOf === undefined) channelOf(device).send({to: 'freeGraph', id});
  },
  run(device, id, inputs, outputs, error) {
    const {inputs: ins, outputs: outs} = currentCall.graph;
    const failed = channelOf(device).send({to: 'run', id: client.plans.get(id).of ?? id, context: device, inputs: storages(inputs, ins.size), outputs: storages(outputs, outs.size)});
    return failed ? fail(error, failed) : 0;
  },
  lacks_kernel: (device, id, node) => client.plans.get(id)?.lacking.includes(node) ? 1 : 0,
};
let backendAt; // the table of C, made once
function backend() {
  if (backendAt) return backendAt;
  const B = S.webnn_backend, p = C.calloc(B.size, 1) >>> 0, name = utf8.encode('cpu\0');
  refreshViews();
  set32(p + B.version, T.backend.version);
  set8(p + B.exact, 1);
  set32(p + B.name, allocate(name.length));
  bytes.set(name, get32(p + B.name));
  for (const [k, f] of Object.entries(BACKEND)) set32(p + B[k], functionPointer(T.backend.signatures[k], f));
  return backendAt = p;
}
// Asks the executor to build the graph of `currentCall`, which gets the plan and the reply.
function startBuild(device, isOpen) {
  const {builder: {dimensions, donations}, needed: {calls}, outputs} = currentCall;
  currentCall.plan = ++numbers;
  client.plans.set(currentCall.plan, {device, lacking: []});
  currentCall.reply = channelOf(device).request({to: 'build', id: currentCall.plan, context: device, isOpen, calls: calls.map(c => c.command), outputs, dimensions, donations});
}
// The calls of a builder that the outputs depend on, in their order, and what is wrong with them.
function neededCalls(b, outputs) {
  const needed = new Set([...outputs.map(([, i]) => i), ...b.donations.map(([input]) => input)]), calls = [], names = new Set();
  for (let i = b.calls.length; i-- > 0;) {
    const c = b.calls[i];
    let any = false;
    for (let k = 0; k < c.count; k++) any ||= needed.has(c.command.at + k);
    if (!any) continue;
    c.uses.forEach(x => needed.add(x));
    calls.push(c);
  }
  let wrong = calls.some(c => c.tensor?.destroyed) ? 'the tensor of a constant is destroyed' : undefined;
  for (const {command: {kind, name}} of calls) if (kind === 'input') {
    const given = b.names.get(name);
    if (names.has(given)) wrong ??= 'two inputs of the graph have one name';
    names.add(given);
  }
  return {calls: calls.reverse(), wrong};
}
function loseContext(id, message) {
  const s = client.contexts.get(id);
  if (!s) return;
  C.webnn_destroy_context(s.handle);
  deletePlans(id);
  s.lose({message});
}
function deletePlans(device) { // of graphs with open sizes, which C does not know of
  for (const [id, plan] of client.plans) if (plan.device === device) client.plans.delete(id);
}

// Operands of a builder are numbered, and each call that makes some is kept for the executor.
function makeOperand(builder, p) {
  return framed(f => {
    const shape = f.zero(S.webnn_list.size);
    C.webnn_operand_shape(shape, p);
    return make('MLOperand', {handle: p, index: state.get(builder).operands++, builder, dataType: DATA_TYPE[C.webnn_operand_data_type(p)], shape: readList(shape)});
  });
}
function record(builder, made, command, {uses = [], tensor} = {}) {
  const b = state.get(builder);
  b.calls.push({command: {at: b.operands, ...command}, count: made.length, uses, tensor});
  return made.map(p => makeOperand(builder, p));
}
// Sends the data of a constant to the executor.
function sendConstantData(s, u, how) {
  const id = ++numbers, reply = s.channel[how]({to: 'constantData', id, context: s.id, data: s.channel.capture(u)});
  let held = true;
  return {id, reply, release() { if (held) s.channel.send({to: 'releaseConstantData', id, context: s.id}); held = false; }};
}

// ---- What is not an operator -------------------------------------------------------------------------------------

const ARRAYS = {float32: ['Float32Array'], float16: ['Float16Array', 'Uint16Array'], int32: ['Int32Array'], uint32: ['Uint32Array'],
  int64: ['BigInt64Array'], uint64: ['BigUint64Array'], int8: ['Int8Array'], uint8: ['Uint8Array']};
const noGpu = () => { throw new DOMException('this implementation has no GPU', 'NotSupportedError'); };

const THREADS = ['worker', 'calling'];
const fromList = (o, name, list, other) => {
  const v = o?.[name] === undefined ? list[0] : `${o[name]}`;
  if (!list.includes(v)) throw new TypeError(`options.${name}: '${v}' is none of ${list.join(', ')}`);
  return v;
};
function threadsOf(options) {
  const n = options?.threads === undefined ? 0 : convertInteger(['unsigned long', true], options.threads, 'options.threads');
  if (n > MOST_THREADS) throw new TypeError(`options.threads: ${n} are more than ${MOST_THREADS}`);
  return n || Math.min(processors(), 4);
}
// The reply, once the replies to earlier requests have come, too.
async function inOrder(s, reply) {
  const before = s.turn;
  let end;
  s.turn = new Promise(resolve => { end = resolve; });
  try { return await reply; } finally { await before; end(); }
}
// Waits until the executor has replied and checks that the context was not lost meanwhile.
async function settled(s, what, reply, undo) {
  try { await inOrder(s, reply); } catch (e) { undo(); throw e; }
  if (C.webnn_context_lost(s.handle, 0)) throw exception(2, `${what}: the context is lost`);
}
const implementation = {
  ML: {
    async createContext(_, options) {
      if (typeof GPUDevice !== 'undefined' && options instanceof GPUDevice) noGpu();
      const d = convert(['MLContextOptions'], options, 'options'), numerics = fromList(options, 'numerics', Object.keys(NUMERICS)), thread = fromList(options, 'thread', THREADS);
      const threads = threadsOf(options), which = thread === 'worker' && mayShare() ? 'threads' : 'plain';
      if (which === 'threads') loadThreads();
      await (starting ??= start().catch(e => { starting = undefined; throw e; }));
      const channel = thread === 'calling' ? localChannel : await workerChannel(which), id = ++numbers;
      if (collectionIsDue(4096)) await awaitCollection();
      const {layout} = await channel.request({to: 'context', id, options: d, numerics, threads});
      let lose;
      const lost = new Promise(resolve => { lose = resolve; }), s = {id, channel, lose};
      currentCall = {id, layout};
      s.handle = createHandle((f, at, e) => C.webnn_create_context(contextOptionsIn(f, d, numerics, {backend: backend()}), at, e));
      client.contexts.set(id, s);
      const free = () => { C.webnn_free_context(s.handle); deletePlans(id); channel.send({to: 'endContext', id}); client.contexts.delete(id); };
      return make('MLContext', {id, channel, handle: s.handle, lose, lost, accelerated: false}, {bytes: 4096, free});
    },
  },
  MLContext: {
    dispatch(self, graph, inputs, outputs) {
      const s = state.get(self), g = state.get(graph);
      currentCall = {graph: g};
      try {
        raising((f, e) => C.webnn_dispatch(s.handle, g.handle, namedIn(f, inputs, g.inputs), inputs.size, namedIn(f, outputs, g.outputs), outputs.size, e));
      } catch (error) {
        if (C.webnn_context_lost(s.handle, 0)) s.lose({message: error.message});
        throw error;
      }
    },
    async createTensor(self, d) {
      const s = state.get(self);
      if (collectionIsDue(byteLength(d))) await awaitCollection();
      currentCall = {descriptor: d};
      const h = createHandle((f, at, e) => C.webnn_create_tensor(s.handle, descriptorIn(f, d), at, e)), {id, reply} = currentCall;
      const tensor = makeTensor(self, h, d);
      state.get(tensor).id = id;
      await settled(s, 'createTensor', reply, () => implementation.MLTensor.destroy(tensor));
      return tensor;
    },
    // The client's constant tensor is a constant of one byte, for which webnn.h has the errors of constants.
    async createConstantTensor(self, d, data) {
      const s = state.get(self), u = bytesOf(data);
      if (collectionIsDue(u.length)) await awaitCollection();
      try {
        C.webnn_free_tensor(createHandle((f, at, e) => C.webnn_create_tensor_over_memory(s.handle, descriptorIn(f, d), UNUSED_POINTER, u.length, at, e)));
      } catch (e) { throw exception(Math.max(STATUS.indexOf(e.name), 1), e.message.replace('createTensor', 'createConstantTensor')); }
      const h = createHandle((f, at, e) => C.webnn_create_constant_tensor(s.handle, descriptorIn(f, {dataType: 'uint8', shape: []}), UNUSED_POINTER, 1, at, e));
      const constantData = sendConstantData(s, u, 'request'), tensor = makeTensor(self, h, d, constantData);
      if (maySize(d)) state.get(tensor).sizes = u.slice();
      await settled(s, 'createConstantTensor', constantData.reply, () => implementation.MLTensor.destroy(tensor));
      return tensor;
    },
    createExportableTensor: noGpu,
    exportToGPU: noGpu,
    async readTensor(self, tensor, out) {
      const length = byteLength(state.get(tensor));
      if (out !== undefined && bytesOf(out).length < length) throw new TypeError(`outputData has fewer than ${length} bytes`);
      currentCall = {out};
      raising((_, e) => C.webnn_read_tensor(handle(self), handle(tensor), UNUSED_POINTER, length, e));
      const {id, reply} = currentCall, reads = client.reads.get(id);
      return new Promise((resolve, reject) => { // destroy() in between rejects
        reads.add(reject);
        inOrder(state.get(self), reply).then(resolve, reject).finally(() => reads.delete(reject));
      });
    },
    writeTensor(self, tensor, data) {
      const u = bytesOf(data);
      currentCall = {data: u};
      raising((_, e) => C.webnn_write_tensor(handle(self), handle(tensor), UNUSED_POINTER, u.length, e));
    },
    opSupportLimits: self => state.get(self).limits ??= readLimits(handle(self)),
    destroy(self) {
      const s = state.get(self);
      C.webnn_destroy_context(s.handle);
      deletePlans(s.id);
      s.channel.send({to: 'endContext', id: s.id});
      untrackMemory(s);
      s.lose({message: 'the context was destroyed'});
    },
  },
  MLGraph: {
    destroy(self) {
      const s = state.get(self);
      C.webnn_destroy_graph(s.handle);
      s.end?.();
      untrackMemory(s);
    },
  },
  MLTensor: {
    destroy(self) {
      const s = state.get(self);
      s.destroyed = true;
      C.webnn_destroy_tensor(s.handle);
      s.constantData?.release();
      untrackMemory(s);
    },
  },
  MLGraphBuilder: {
    construct(o, context) {
      const h = createHandle((f, at, e) => C.webnn_create_builder(handle(context), at, e)), constantData = [];
      state.set(o, {interface: 'MLGraphBuilder', handle: h, context, names: new Map(), calls: [], operands: 0, dimensions: [], isOpen: false, donations: [], constantData});
      trackMemory(o, 4096, () => { C.webnn_free_builder(h); constantData.forEach(x => x.release()); });
    },
    // Names of C end at NUL, and the browsers' tests repeat an input's name within a builder, which the specification
    // forbids. C then gets another name, and build() refuses two inputs of one name within a graph.
    input: (self, name, d) => framed(f => {
      const {names} = state.get(self), inC = name && (names.has(name) || name.includes('\0')) ? `${name.replace(/\0/g, '')}\x1f${names.size}` : name;
      if (!state.get(self).isOpen && d.shape.includes(T.dynamic)) throw new TypeError(`input: "${name}": a dimension (${T.dynamic}) must be 1 to ${2 ** 31 - 1}`);
      const p = checkResult(handle(self), C.webnn_input(handle(self), f.string(inC), descriptorIn(f, d)));
      names.set(inC, name);
      return record(self, [p], {kind: 'input', name: inC, descriptor: d})[0];
    }),
    constant: (self, a, b) => framed(f => state.get(a)?.interface === 'MLTensor' ? constantOfTensor(f, self, state.get(a))
      : isObject(a) ? constantOfBuffer(f, self, a, b) : constantOfNumber(f, self, a, b)),
    async build(self, outputs) {
      for (const v of outputs.values()) if (state.get(v).builder !== self) throw new TypeError('an output is of another builder');
      const b = state.get(self), s = state.get(b.context), names = [...outputs.keys()], inC = names.map((name, i) => name.includes('\0') ? `\x1f${i}` : name);
      const indices = [...outputs.values()].map((v, i) => [inC[i], state.get(v).index]), operands = new Map([...outputs.values()].map((v, i) => [inC[i], v]));
      currentCall = {builder: b, outputs: indices, needed: neededCalls(b, indices)};
      const h = createHandle((f, at, e) => C.webnn_build(b.handle, namedIn(f, operands), inC.length, at, e));
      const isOpen = currentCall.plan === undefined, {wrong} = currentCall.needed; // with open sizes C has not called its backend
      if (isOpen && wrong) { C.webnn_free_graph(h); throw new TypeError(`build: ${wrong}`); }
      if (isOpen) startBuild(s.id, true);
      const {reply, plan} = currentCall, end = isOpen ? endOf(s.id, plan) : undefined;
      const g = makeGraph(h, {plan, end, context: b.context, inputs: new Map(inputsOf(h).map(c => [b.names.get(c), c])), outputs: new Map(inC.map((c, i) => [names[i], c]))});
      b.constantData.splice(0).forEach(x => x.release()); // what the builder held is the graph's now
      b.calls = [];
      untrackMemory(b);
      let made;
      await settled(s, 'build', reply.then(value => { made = value; }), () => implementation.MLGraph.destroy(g));
      const {constants, prepared, arena, description} = made.memory, size = constants + prepared + arena + description;
      Object.assign(state.get(g), {memory: made.memory});
      Object.assign(client.plans.get(plan) ?? {}, {lacking: made.lacking});
      setSize(g, size);
      if (collectionIsDue(size)) await awaitCollection();
      return g;
    },
  },
};
// The client's constant: without data, or with `elements` where these may determine sizes.
const constantIn = (f, h, d, elements) => checkResult(h, maySize(d) && elements ? C.webnn_constant(h, descriptorIn(f, d), f.data(elements), elements.length)
  : C.webnn_constant_over_memory(h, descriptorIn(f, d), UNUSED_POINTER, byteLength(d)));
function constantOfTensor(f, builder, tensor) {
  const h = handle(builder), d = {dataType: tensor.dataType, shape: [...tensor.shape]};
  checkResult(h, C.webnn_constant_from_tensor(h, tensor.handle)); // for its errors
  return record(builder, [constantIn(f, h, d, tensor.sizes)], {kind: 'constant', dataId: tensor.constantData.id, descriptor: d}, {tensor})[0];
}
function constantOfBuffer(f, builder, descriptor, buffer) {
  const s = state.get(builder), h = s.handle, d = convert(['MLOperandDescriptor'], descriptor, 'descriptor'), v = convert(['AllowSharedBufferSource'], buffer, 'buffer'), u = bytesOf(v);
  if (ARRAYS[d.dataType] && ArrayBuffer.isView(v) && !(v instanceof DataView) && !ARRAYS[d.dataType].includes(v[Symbol.toStringTag])) {
    throw new TypeError(`buffer is a ${v[Symbol.toStringTag]}, which does not hold ${d.dataType}`);
  }
  const p = u.length === byteLength(d) ? constantIn(f, h, d, u) : checkResult(h, C.webnn_constant_over_memory(h, descriptorIn(f, d), UNUSED_POINTER, u.length)); // C says what is wrong
  const data = sendConstantData(state.get(s.context), u, 'send');
  s.constantData.push(data);
  s.tracked.bytes += u.length;
  HELD.bytes += u.length;
  return record(builder, [p], {kind: 'constant', dataId: data.id, descriptor: d})[0];
}
function constantOfNumber(f, builder, dataType, number) {
  const h = handle(builder), type = convert(['MLOperandDataType'], dataType, 'dataType'), value = convert(['MLNumber'], number, 'value'), p = f.zero(S.webnn_number.size);
  setNumber(p, value);
  return record(builder, [checkResult(h, C.webnn_constant_from_number(h, T.enums.MLOperandDataType[type], p))], {kind: 'number', type, value})[0];
}
// May a constant's elements determine sizes? Then the client needs them, too.
const maySize = ({dataType, shape}) => /int/.test(dataType) && dataType !== 'uint64' && shape.reduce((n, x) => n * x, 1) <= 4096;
function inputsOf(h) { // a graph's, by their names in C
  return framed(f => {
    const {size, name} = S.webnn_graph_port, n = C.webnn_graph_inputs(h, 0, 0), ports = f.zero(size * n);
    C.webnn_graph_inputs(h, ports, n);
    return Array.from({length: n}, (_, i) => cString(get32(ports + size * i + name)));
  });
}
// Functions of their own, since a closure that frees must not refer to the object, which would then never be collected.
const makeGraph = (h, {end, ...fields}) => make('MLGraph', {handle: h, end, ...fields}, {bytes: 0, free: () => { C.webnn_free_graph(h); end?.(); }});
const endOf = (device, id) => () => { if (client.plans.delete(id)) channelOf(device).send({to: 'freeGraph', id}); };
function makeTensor(context, p, d, constantData) {
  return make('MLTensor', {handle: p, context, constantData, dataType: d.dataType, shape: Object.freeze([...d.shape]), readable: !!d.readable, writable: !!d.writable,
    constant: !!constantData}, {bytes: byteLength(d) + 256, free: () => { C.webnn_free_tensor(p); constantData?.release(); }});
}

function readLimits(h) {
  const L = S.webnn_limits, O = S.webnn_operator_limits, P = S.webnn_tensor_limits;
  const one = p => ({
    dataTypes: Object.entries(T.enums.MLOperandDataType).filter(([, v]) => get32(p + P.data_types) >> v & 1).map(([k]) => k),
    rankRange: {min: get32(p + P.min_rank), max: get32(p + P.max_rank)},
  });
  return framed(f => {
    const p = f.zero(L.size), q = f.zero(O.size);
    C.webnn_context_limits(h, p);
    refreshViews();
    const out = {
      preferredInputLayout: Object.keys(T.enums.MLInputOperandLayout)[get32(p + L.preferred_input_layout)],
      maxTensorByteLength: Number(view.getBigUint64(p + L.max_tensor_byte_length, true)),
      input: one(p + L.input), constant: one(p + L.constant), output: one(p + L.output),
    };
    T.operatorNames.forEach((name, i) => {
      if (!C[T.operators[name].c] || !C.webnn_op_limits(h, i, q)) return;
      out[name] = Object.fromEntries(Array.from({length: get32(q + O.operand_count)}, (_, k) => {
        const r = q + O.operands + P.size * k;
        return [cString(get32(r)), one(r)];
      }));
    });
    return out;
  });
}

// ---- Every operator ----------------------------------------------------------------------------------------------

function operatorMethod(op) {
  const args = argumentsOf(op), {outputs} = rowOf(op);
  return (self, ...given) => {
    const pointers = callOperator(handle(self), op, given), uses = [];
    const index = o => { const i = state.get(o).index; uses.push(i); return i; };
    const made = record(self, pointers, {op, given: args.map((a, i) => mapOperands(a.type, given[i], index))}, {uses});
    return outputs ? made : made[0];
  };
}

// ---- The interfaces, from their descriptions ---------------------------------------------------------------------

const labelOf = typed => typed.at(-1)?.label ? `[${typed.at(-1).label}] ` : '';
function checkReceiver(o, name) { if (state.get(o)?.interface !== name) throw new TypeError('Illegal invocation'); }

// The arguments of a call, converted.
function convertArguments(op, overloads, given) {
  const args = overloads[0].arguments;
  if (overloads.length === 1) {
    return args.map((x, i) => x.optional && given[i] === undefined ? (T.dictionaries[x.type[0]] ? convert(x.type, undefined, x.name) : undefined) : convert(x.type, given[i], x.name));
  }
  const buffer = overloads.find(o => o.arguments[1])?.arguments[1];
  if (op !== 'readTensor') return given; // constant and createContext convert their own
  return given.map((x, i) => i === 0 ? convert(args[0].type, x, args[0].name) : i === 1 && x !== undefined ? convert(buffer.type, x, buffer.name) : x);
}
// An operation as a function of its receiver and the list of what is given.
function operation(name, op, overloads) {
  const row = name === 'MLGraphBuilder' && rowOf(op), args = overloads[0].arguments, least = leastOf(overloads);
  const body = row ? operatorMethod(op) : implementation[name][op];
  return (self, given) => {
    checkReceiver(self, name);
    if (given.length < least) throw new TypeError(`${op}: ${least} arguments required, but only ${given.length} present`);
    const typed = convertArguments(op, overloads, given);
    if (row) args.forEach((a, i) => {
      if (a.type[0] === 'MLOperand' && state.get(typed[i]).builder !== self) throw new TypeError(`${labelOf(typed)}${a.name} is of another builder`);
    });
    return body(self, ...typed);
  };
}
const leastOf = overloads => Math.min(...overloads.map(o => o.arguments.filter(a => !a.optional).length));
function defineOperation(prototype, name, op, overloads) {
  const promise = overloads[0].returns[0] === 'Promise', run = operation(name, op, overloads);
  const method = promise
    ? {[op](...given) { try { return Promise.resolve(run(this, given)); } catch (e) { return Promise.reject(e); } }}[op]
    : {[op](...given) { return run(this, given); }}[op];
  Object.defineProperty(method, 'length', {value: leastOf(overloads), configurable: true});
  Object.defineProperty(prototype, op, {value: method, writable: true, enumerable: true, configurable: true});
}
function defineAttribute(prototype, name, a) {
  const isPromise = a.type[0] === 'Promise'; // then a wrong receiver gives a rejected one
  const {get} = Object.getOwnPropertyDescriptor({get [a.name]() {
    try { checkReceiver(this, name); } catch (e) { if (isPromise) return Promise.reject(e); throw e; }
    return state.get(this)[a.name];
  }}, a.name);
  Object.defineProperty(prototype, a.name, {enumerable: true, configurable: true, get});
}
for (const [name, d] of Object.entries(T.interfaces)) {
  const required = (d.constructorArguments ?? []).length;
  const I = interfaces[name] = {[name]: class {
    constructor(...given) {
      if (given[0] === token) return;
      if (!d.constructorArguments) throw new TypeError('Illegal constructor');
      if (given.length < required) throw new TypeError(`${name}: ${required} arguments required`);
      implementation[name].construct(this, ...d.constructorArguments.map((x, i) => convert(x.type, given[i], x.name)));
    }
  }}[name];
  Object.defineProperty(I, 'length', {value: required, configurable: true});
  Object.defineProperty(I.prototype, Symbol.toStringTag, {value: name, configurable: true});
  for (const [op, overloads] of Object.entries(d.operations)) defineOperation(I.prototype, name, op, overloads);
  for (const a of d.attributes) defineAttribute(I.prototype, name, a);
}
const ml = make('ML', {});

// ---- Of this implementation --------------------------------------------------------------------------------------

const expect = (o, name) => { checkReceiver(o, name); return handle(o); };
function ownOperand(builder, o, what) {
  const s = state.get(convert(['MLOperand'], o, what));
  if (s.builder !== builder) throw new TypeError(`${what} is of another builder`);
  return s;
}
function askAbout(graph, to, more) { // what only the executor can say
  expect(graph, 'MLGraph');
  const {plan} = state.get(graph), known = client.plans.get(plan);
  if (!known) throw exception(2, `${to}: the graph is destroyed`);
  return channelOf(known.device).request({to, id: plan, ...more});
}
const extensions = {
  print: graph => textOf(w => C.webnn_print_graph(expect(graph, 'MLGraph'), w, 0)),
  dot: graph => textOf(w => C.webnn_print_graph_dot(expect(graph, 'MLGraph'), w, 0)),
  steps: async graph => askAbout(graph, 'steps'),
  profile: async (graph, on) => askAbout(graph, 'profile', {on: on === undefined ? undefined : !!on}),
  memory(graph) {
    expect(graph, 'MLGraph');
    return {...state.get(graph).memory};
  },
  thread(context) {
    expect(context, 'MLContext');
    return state.get(context).channel.name;
  },
  async threads(context) {
    expect(context, 'MLContext');
    const {channel, id, handle: h} = state.get(context);
    if (C.webnn_context_lost(h, 0)) throw exception(2, 'threads: the context is lost');
    return channel.request({to: 'threads', context: id});
  },
  view(tensor) {
    expect(tensor, 'MLTensor');
    const {id, context, dataType} = state.get(tensor);
    if (state.get(context).channel !== localChannel || id === undefined) throw exception(3, 'view: only a tensor of a context on the calling thread, and no constant, has one');
    if (!executor.tensors.has(id)) throw exception(2, 'view: the tensor or its context was destroyed');
    const {buffer, byteOffset, byteLength: length} = storageOf(id), Kind = (ARRAYS[dataType] ?? ['Uint8Array']).map(name => globalThis[name]).find(Boolean);
    return new Kind(buffer, byteOffset, length / Kind.BYTES_PER_ELEMENT);
  },
  compare(dataType, actual, expected, tolerance = {}) {
    const t = convert(['MLOperandDataType'], dataType, 'dataType'), a = bytesOf(convert(['AllowSharedBufferSource'], actual, 'actual')), b = bytesOf(convert(['AllowSharedBufferSource'], expected, 'expected'));
    if (a.length !== b.length) throw new TypeError(`actual has ${a.length} bytes, expected has ${b.length}`);
    if (!C) throw new DOMException('compare needs the module: create a context first', 'InvalidStateError');
    return framed(f => {
      const R = S.webnn_comparison, r = f.zero(R.size), w = f.zero(S.webnn_tolerance.size);
      if (tolerance.ulp !== undefined) { view.setFloat64(w + S.webnn_tolerance.value, tolerance.ulp, true); set32(w + S.webnn_tolerance.metric, 0); }
      if (tolerance.atol !== undefined) { view.setFloat64(w + S.webnn_tolerance.value, tolerance.atol, true); set32(w + S.webnn_tolerance.metric, 1); }
      C.webnn_compare(r, T.enums.MLOperandDataType[t], f.data(a), f.data(b), BigInt(Math.floor(a.length * 8 / BITS[t])), w);
      refreshViews();
      return Object.fromEntries(Object.entries(T.structs.webnn_comparison.members).map(([k, [at, type]]) => [k.replace(/_(\w)/g, (_, x) => x.toUpperCase()),
        type === 'double' ? view.getFloat64(r + at, true) : Number(view.getBigUint64(r + at, true))]));
    });
  },
  donate(builder, input, output) {
    const h = expect(builder, 'MLGraphBuilder'), [a, b] = [ownOperand(builder, input, 'input'), ownOperand(builder, output, 'output')];
    checkResult(h, C.webnn_donate(h, a.handle, b.handle));
    state.get(builder).donations.push([a.index, b.index]);
    return output;
  },
  dimension(builder, name) {
    const h = expect(builder, 'MLGraphBuilder'), b = state.get(builder), given = name === undefined ? '' : convert(['USVString'], name, 'name');
    let number;
    try {
      number = checkResult(h, framed(f => C.webnn_dynamic_dimension(h, f.string(given)) >>> 0));
    } catch (e) {
      if (name !== undefined || e.name !== 'TypeError') throw e;
      number = T.dynamic; // an empty name is all that was wrong
    }
    if (number === T.dynamic + 1 + b.dimensions.length) b.dimensions.push(given);
    b.isOpen = true;
    return number;
  },
  dimensionName(builder, dimension) {
    const p = C.webnn_dimension_name(expect(builder, 'MLGraphBuilder'), convert(['unsigned long', 'EnforceRange'], dimension, 'dimension'));
    return p ? cString(p) : undefined;
  },
  computeShapes(graph, shapes) {
    const h = expect(graph, 'MLGraph'), g = state.get(graph), N = S.webnn_named_shape;
    const given = convert(['record', ['sequence', ['unsigned long', 'EnforceRange']]], shapes, 'shapes');
    currentCall = {graph: g};
    return framed(f => {
      const ins = f.zero(N.size * given.size), outs = f.zero(N.size * g.outputs.size);
      [...given].forEach(([name, shape], i) => {
        set32(ins + N.size * i + N.name, f.string(g.inputs.get(name) ?? name));
        setList(ins + N.size * i + N.shape, shape, set32);
      });
      raising((_, e) => C.webnn_compute_shapes(h, ins, given.size, outs, g.outputs.size, e));
      return Object.fromEntries([...g.outputs.keys()].map((name, i) => [name, [...readList(outs + N.size * i + N.shape)]]));
    });
  },
  ...Object.fromEntries(Object.entries(T.more).map(([op, {arguments: args}]) => {
    const run = operation('MLGraphBuilder', op, [{arguments: args}]);
    return [op, (builder, ...given) => run(builder, given)];
  })),
  held: () => ({objects: HELD.bytes, module: (memory?.buffer.byteLength ?? 0) + [...channels].reduce((n, channel) => n + channel.bytes, 0)}),
};

// Makes the interfaces properties of a global object, and ml that of its navigator.
function install(target = globalThis, {replace = true} = {}) {
  const navigator = target.navigator ?? (target.navigator = {});
  if (!replace && 'ml' in navigator) return navigator.ml;
  for (const [name, I] of Object.entries(interfaces)) Object.defineProperty(target, name, {value: I, writable: true, enumerable: false, configurable: true});
  const get = {get ml() { if (this !== navigator) throw new TypeError('Illegal invocation'); return ml; }}.__lookupGetter__('ml');
  Object.defineProperty(Object.getPrototypeOf(navigator) === Object.prototype ? navigator : Object.getPrototypeOf(navigator), 'ml', {get, enumerable: true, configurable: true});
  return ml;
}
return {ml, interfaces, extensions, install, serve};
}
