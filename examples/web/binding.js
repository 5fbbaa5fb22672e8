// navigator.ml over webnn.h as WebAssembly: every interface of the Web Neural Network API, made from the table that
// generate.mjs writes. No operator is named here.
//
//   const {ml, interfaces, extensions, configure} = webnnBinding(table, {wasm: () => bytes, Response, or Module})
//
// wasm32's calling convention makes C glue unnecessary: a struct by value is a pointer to a copy, a returned struct
// is a first argument. One instance of the module serves all contexts of a realm.
function webnnBinding(T, environment) {
'use strict';
const STATUS = ['', 'TypeError', 'InvalidStateError', 'NotSupportedError', 'OperationError', 'UnknownError'];
const NUMERICS = {fast: 0, reference: 1, relaxed: 2};
const utf8 = new TextEncoder(), text = new TextDecoder();
const S = Object.fromEntries(Object.entries(T.structs).map(([name, s]) => [name, {size: s.size, ...Object.fromEntries(Object.entries(s.members).map(([k, v]) => [k, v[0]]))}]));
const MAX_RANK = T.structs.webnn_list.members.items[2];

// ---- The module and its memory -----------------------------------------------------------------------------------

let C, memory, bytes, view, starting; // bytes and view: of the memory as it is now; it moves when it grows
function fresh() {
  if (bytes === undefined || bytes.buffer !== memory.buffer) {
    bytes = new Uint8Array(memory.buffer);
    view = new DataView(memory.buffer);
  }
}
// Setters, since `view.setUint32(p, allocate())` would read `view` before the allocation moves the memory.
const set8 = (p, x) => view.setUint8(p, x), set32 = (p, x) => view.setUint32(p, x, true), setFloat = (p, x) => view.setFloat32(p, x, true);
const get32 = p => { fresh(); return view.getUint32(p, true); };

function allocate(size) {
  const p = C.malloc(size || 1) >>> 0;
  if (!p) throw new RangeError('webnn: out of memory');
  fresh();
  return p;
}
class Frame { // what one call needs, freed when it returns
  pieces = [];
  raw(size) { const p = allocate(size); this.pieces.push(p); return p; }
  zero(size) { const p = this.raw(size); bytes.fill(0, p, p + size); return p; }
  string(s) { const u = utf8.encode(s.replace(/\0/g, '\u2400')), p = this.zero(u.length + 1); bytes.set(u, p); return p; }
  data(u) { const p = this.raw(u.length); bytes.set(u, p); return p; }
  error() { return this.zero(S.webnn_error.size); }
  end() { for (const p of this.pieces) C.free(p); fresh(); }
}
const framed = f => { const frame = new Frame(); try { return f(frame); } finally { frame.end(); } };
const cString = p => { fresh(); return p ? text.decode(bytes.slice(p, bytes.indexOf(0, p))) : ''; };
const exception = (status, message) => status === 1 ? new TypeError(message) : new DOMException(message, STATUS[status]);
function raise(error) {
  fresh();
  const status = view.getInt32(error + S.webnn_error.status, true);
  if (status) throw exception(status, cString(error + S.webnn_error.message));
}

async function start() {
  let code = await environment.wasm();
  if (typeof Response !== 'undefined' && code instanceof Response) code = await code.arrayBuffer();
  const host = new Proxy({}, {get: (_, name) => name === 'clock_time_get'
    ? (id, precision, p) => { fresh(); view.setBigUint64(p, BigInt(Math.round(performance.now() * 1e6)), true); return 0; }
    : () => 8}); // EBADF: there are no files
  const made = await WebAssembly.instantiate(code, {wasi_snapshot_preview1: host, env: host});
  C = (made.instance ?? made).exports;
  memory = C.memory;
  C._initialize?.();
  fresh();
}

// A JavaScript function (three integers, no result) as a function pointer of the module: the engine makes one of what
// a module exports, so a module is made that exports what it imports.
function functionPointer(f) {
  const code = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 3, 127, 127, 127, 0, 2, 7, 1, 1, 101, 1, 102, 0, 0, 7, 5, 1, 1, 102, 0, 0);
  const at = C.__indirect_function_table.grow(1);
  C.__indirect_function_table.set(at, new WebAssembly.Instance(new WebAssembly.Module(code), {e: {f}}).exports.f);
  return at;
}
let writer, written;
function textOf(call) { // what a function of C gives to its webnn_writer
  writer ??= functionPointer((user, p, length) => { fresh(); written.push(bytes.slice(p, p + length)); });
  written = [];
  call(writer);
  const all = new Uint8Array(written.reduce((n, u) => n + u.length, 0));
  let n = 0;
  for (const u of written) { all.set(u, n); n += u.length; }
  return text.decode(all);
}

// ---- Objects, and memory that nobody frees -----------------------------------------------------------------------

const state = new WeakMap(); // object: {interface, handle, ...}
const handle = o => state.get(o).handle;
const token = Symbol('webnn');
const interfaces = {};

// An engine sees small objects and not the memory of the module behind them. Each object therefore holds an
// ArrayBuffer of as many bytes, which engines count (and which costs no memory, as nobody writes to it); and where
// many bytes wait for their objects to be collected, what returns a promise waits for the collector's callbacks.
const HELD = {bytes: 0, patience: 64 << 20};
const gone = new FinalizationRegistry(owned => release(owned));
function release(owned) {
  if (owned.free) { owned.free(); owned.free = undefined; HELD.bytes -= owned.bytes; }
}
function make(name, fields, owned) {
  const o = new interfaces[name](token);
  state.set(o, {interface: name, ...fields});
  if (owned) own(o, owned.bytes, owned.free);
  return o;
}
function own(o, size, free) {
  const owned = {bytes: size, free};
  HELD.bytes += size;
  Object.assign(state.get(o), {owned, ballast: size >= 4096 ? new ArrayBuffer(size) : undefined});
  gone.register(o, owned);
}
function disown(s) { // destroyed: C has given its memory back, the small handle waits for the collector
  if (s.owned?.free) { HELD.bytes -= s.owned.bytes; s.owned.bytes = 0; s.ballast = undefined; }
}
const macrotask = () => new Promise(resolve => { // a timer would take 4 ms
  const {port1, port2} = new MessageChannel();
  port1.onmessage = () => { port1.close(); resolve(); };
  port2.postMessage(0);
});
let breathing = 0;
async function breathe(size) {
  breathing += size;
  if (HELD.bytes < HELD.patience || breathing < HELD.patience / 8) return;
  breathing = 0;
  for (let i = 0; i < 8 && HELD.bytes >= HELD.patience; i++) {
    new ArrayBuffer(HELD.patience); // counted by the engine, and garbage at once
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
  MLNumber(v) {
    const n = isObject(v) ? v[Symbol.toPrimitive]?.('number') ?? v.valueOf() : v;
    return typeof n === 'bigint' ? n : +n;
  },
  AllowSharedBufferSource(v, what) {
    if (ArrayBuffer.isView(v) || v instanceof ArrayBuffer || typeof SharedArrayBuffer !== 'undefined' && v instanceof SharedArrayBuffer) return v;
    throw new TypeError(`${what} is not a buffer`);
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
function convertRecord([, value], v, what) {
  if (!isObject(v)) throw new TypeError(`${what} is not an object`);
  const map = new Map();
  for (const k of Reflect.ownKeys(v)) {
    if (Object.getOwnPropertyDescriptor(v, k)?.enumerable) map.set(convert(['USVString'], k, what), convert(value, v[k], `${what}.${String(k)}`));
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
const readList = p => Object.freeze(Array.from({length: get32(p + S.webnn_list.count)}, (_, i) => get32(p + S.webnn_list.items + 4 * i)));

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
function namedIn(frame, map) { // webnn_named_operand, webnn_named_tensor
  const p = frame.zero(8 * map.size);
  let i = 0;
  for (const [name, o] of map) {
    set32(p + 8 * i, frame.string(name));
    set32(p + 8 * i++ + 4, handle(o));
  }
  return p;
}
const DATA_TYPE = Object.fromEntries(Object.entries(T.enums.MLOperandDataType).map(([k, v]) => [v, k]));
const BITS = name => +name.replace(/\D/g, '');
const byteLength = d => Math.ceil(d.shape.reduce((n, x) => n * x, 1) * BITS(d.dataType) / 8);

function makeOperand(builder, p) {
  return framed(f => {
    const shape = f.zero(S.webnn_list.size);
    C.webnn_operand_shape(shape, p);
    return make('MLOperand', {handle: p, builder, dataType: DATA_TYPE[C.webnn_operand_data_type(p)], shape: readList(shape)});
  });
}
function madeBy(builder, p, label) { // what a builder's method has returned: NULL is a refusal, which the builder then forgets
  if (p) return p;
  const b = handle(builder), status = C.webnn_builder_status(b), message = cString(C.webnn_builder_message(b));
  C.webnn_builder_clear_error(b);
  throw exception(status, (label ? `[${label}] ` : '') + message);
}
function makeTensor(context, p, d, constant) {
  return make('MLTensor', {handle: p, context, dataType: d.dataType, shape: Object.freeze([...d.shape]), readable: !!d.readable, writable: !!d.writable,
    constant: !!constant, reads: new Set()}, {bytes: byteLength(d) + 256, free: () => C.webnn_free_tensor(p)});
}

// ---- What is not an operator -------------------------------------------------------------------------------------

// A call with a place for an error and one for the handle that it makes.
const making = call => framed(f => {
  const at = f.zero(4), e = f.error();
  call(f, at, e);
  raise(e);
  return get32(at);
});
const graphBytes = h => framed(f => {
  const p = f.zero(S.webnn_memory.size), M = S.webnn_memory;
  C.webnn_graph_memory(p, h);
  fresh();
  return ['constants', 'prepared', 'arena', 'description'].reduce((n, k) => n + Number(view.getBigUint64(p + M[k], true)), 0);
});
const ARRAYS = {float32: ['Float32Array'], float16: ['Float16Array', 'Uint16Array'], int32: ['Int32Array'], uint32: ['Uint32Array'],
  int64: ['BigInt64Array'], uint64: ['BigUint64Array'], int8: ['Int8Array'], uint8: ['Uint8Array']};
const noGpu = () => { throw new DOMException('this implementation has no GPU', 'NotSupportedError'); };

const implementation = {
  ML: {
    async createContext(_, options) {
      if (typeof GPUDevice !== 'undefined' && options instanceof GPUDevice) noGpu();
      const d = convert(['MLContextOptions'], options, 'options'), numerics = options?.numerics ?? 'fast';
      if (!Object.hasOwn(NUMERICS, numerics)) throw new TypeError(`options.numerics: '${numerics}' is none of ${Object.keys(NUMERICS).join(', ')}`);
      await (starting ??= start().catch(e => { starting = undefined; throw e; }));
      await breathe(4096);
      const h = making((f, at, e) => {
        const p = optionsIn(f, 'MLContextOptions', d), O = S.webnn_context_options;
        set32(p + O.numerics, NUMERICS[numerics]);
        set32(p + O.threads, 1);
        view.setBigUint64(p + O.max_tensor_byte_length, 2n ** 31n - 1n, true);
        C.webnn_create_context(p, at, e);
      });
      let lose;
      const lost = new Promise(resolve => { lose = resolve; });
      return make('MLContext', {handle: h, lose, lost, accelerated: !!C.webnn_context_accelerated(h)}, {bytes: 4096, free: () => C.webnn_free_context(h)});
    },
  },
  MLContext: {
    dispatch(self, graph, inputs, outputs) {
      framed(f => {
        const g = state.get(graph), inC = (m, names) => new Map([...m].map(([k, v]) => [names.get(k) ?? k, v]));
        const e = f.error(), a = namedIn(f, inC(inputs, g.inputs)), b = namedIn(f, inC(outputs, g.outputs));
        C.webnn_dispatch(handle(self), handle(graph), a, inputs.size, b, outputs.size, e);
        raise(e);
      });
    },
    async createTensor(self, d) {
      await breathe(byteLength(d));
      return makeTensor(self, making((f, at, e) => C.webnn_create_tensor(handle(self), descriptorIn(f, d), at, e)), d);
    },
    async createConstantTensor(self, d, data) {
      const u = bytesOf(data);
      await breathe(u.length);
      return makeTensor(self, making((f, at, e) => C.webnn_create_constant_tensor(handle(self), descriptorIn(f, d), f.data(u), u.length, at, e)), d, true);
    },
    createExportableTensor: noGpu,
    exportToGPU: noGpu,
    async readTensor(self, tensor, out) {
      const s = state.get(tensor), length = byteLength(s);
      if (out !== undefined && bytesOf(out).length < length) throw new TypeError(`outputData has fewer than ${length} bytes`);
      const copy = framed(f => {
        const e = f.error(), p = f.raw(length);
        C.webnn_read_tensor(handle(self), handle(tensor), p, length, e);
        raise(e);
        return bytes.slice(p, p + length);
      });
      await new Promise((resolve, reject) => { // settled in a task of its own, as a device's would be; destroy() in between rejects
        const read = {reject};
        s.reads.add(read);
        macrotask().then(() => { s.reads.delete(read); resolve(); });
      });
      if (out === undefined) return copy.buffer;
      const to = bytesOf(out);
      if (to.length < copy.length) throw new TypeError('outputData was detached');
      to.set(copy);
    },
    writeTensor(self, tensor, data) {
      framed(f => {
        const e = f.error(), u = bytesOf(data);
        C.webnn_write_tensor(handle(self), handle(tensor), f.data(u), u.length, e);
        raise(e);
      });
    },
    opSupportLimits: self => state.get(self).limits ??= readLimits(handle(self)),
    destroy(self) {
      const s = state.get(self);
      C.webnn_destroy_context(s.handle);
      disown(s);
      s.lose({message: 'the context was destroyed'});
    },
  },
  MLGraph: {
    destroy(self) { C.webnn_destroy_graph(handle(self)); disown(state.get(self)); },
  },
  MLTensor: {
    destroy(self) {
      const s = state.get(self);
      C.webnn_destroy_tensor(s.handle);
      disown(s);
      for (const read of s.reads) read.reject(new DOMException('the tensor was destroyed', 'InvalidStateError'));
      s.reads.clear();
    },
  },
  MLGraphBuilder: {
    construct(o, context) {
      const h = making((f, at, e) => C.webnn_create_builder(handle(context), at, e));
      state.set(o, {interface: 'MLGraphBuilder', handle: h, context, names: new Map()});
      own(o, 4096, () => C.webnn_free_builder(h));
    },
    // Names of C end at NUL, and the browsers' tests repeat an input's name within a builder, which the text refuses.
    // C then gets another name; build() refuses two inputs of one name within a graph.
    input: (self, name, d) => framed(f => {
      const {names} = state.get(self), inC = name && (names.has(name) || name.includes('\0')) ? `${name.replace(/\0/g, '')}\x1f${names.size}` : name;
      const o = makeOperand(self, madeBy(self, C.webnn_input(handle(self), f.string(inC), descriptorIn(f, d))));
      names.set(inC, name);
      return o;
    }),
    constant: (self, a, b) => framed(f => {
      const h = handle(self);
      if (state.get(a)?.interface === 'MLTensor') return makeOperand(self, madeBy(self, C.webnn_constant_from_tensor(h, handle(a))));
      if (isObject(a)) {
        const d = convert(['MLOperandDescriptor'], a, 'descriptor'), v = convert(['AllowSharedBufferSource'], b, 'buffer'), u = bytesOf(v);
        if (ARRAYS[d.dataType] && ArrayBuffer.isView(v) && !(v instanceof DataView) && !ARRAYS[d.dataType].includes(v[Symbol.toStringTag])) {
          throw new TypeError(`buffer is a ${v[Symbol.toStringTag]}, which does not hold ${d.dataType}`);
        }
        const o = makeOperand(self, madeBy(self, C.webnn_constant(h, descriptorIn(f, d), f.data(u), u.length)));
        const {owned} = state.get(self);
        owned.bytes += u.length;
        HELD.bytes += u.length;
        return o;
      }
      const t = convert(['MLOperandDataType'], a, 'dataType'), v = convert(['MLNumber'], b, 'value'), p = f.zero(S.webnn_number.size);
      setNumber(p, v);
      return makeOperand(self, madeBy(self, C.webnn_constant_from_number(h, T.enums.MLOperandDataType[t], p)));
    }),
    async build(self, outputs) {
      for (const v of outputs.values()) if (state.get(v).builder !== self) throw new TypeError('an output is of another builder');
      const b = state.get(self), inC = new Map([...outputs].map(([k, v], i) => [k.includes('\0') ? `\x1f${i}` : k, v])), keys = [...outputs.keys()];
      const h = making((f, at, e) => C.webnn_build(b.handle, namedIn(f, inC), inC.size, at, e));
      const inputs = framed(f => {
        const size = S.webnn_graph_port.size, n = C.webnn_graph_inputs(h, 0, 0), ports = f.zero(size * n);
        C.webnn_graph_inputs(h, ports, n);
        return Array.from({length: n}, (_, i) => { const c = cString(get32(ports + size * i + S.webnn_graph_port.name)); return [b.names.get(c), c]; });
      });
      const size = graphBytes(h);
      const g = make('MLGraph', {handle: h, context: b.context, inputs: new Map(inputs), outputs: new Map([...inC.keys()].map((c, i) => [keys[i], c]))},
        {bytes: size, free: () => C.webnn_free_graph(h)});
      disown(b); // what the builder held is the graph's now
      if (state.get(g).inputs.size < inputs.length) throw new TypeError('two inputs of the graph have one name');
      await breathe(size);
      return g;
    },
  },
};

function readLimits(h) {
  const L = S.webnn_limits, O = S.webnn_operator_limits, P = S.webnn_tensor_limits;
  const one = p => ({
    dataTypes: Object.entries(T.enums.MLOperandDataType).filter(([, v]) => get32(p + P.data_types) >> v & 1).map(([k]) => k),
    rankRange: {min: get32(p + P.min_rank), max: get32(p + P.max_rank)},
  });
  return framed(f => {
    const p = f.zero(L.size), q = f.zero(O.size);
    C.webnn_context_limits(h, p);
    fresh();
    const out = {
      preferredInputLayout: Object.keys(T.enums.MLInputOperandLayout)[get32(p + L.preferred_input_layout)],
      maxTensorByteLength: Number(view.getBigUint64(p + L.max_tensor_byte_length, true)),
      input: one(p + L.input), constant: one(p + L.constant), output: one(p + L.output),
    };
    T.operatorNames.forEach((name, i) => {
      if (!C.webnn_op_limits(h, i, q)) return;
      out[name] = Object.fromEntries(Array.from({length: get32(q + O.operand_count)}, (_, k) => {
        const r = q + O.operands + P.size * k;
        return [cString(get32(r)), one(r)];
      }));
    });
    return out;
  });
}

// ---- Every operator ----------------------------------------------------------------------------------------------

function operatorMethod(row, args) {
  return (self, ...given) => framed(f => {
    const call = [handle(self)];
    let label = '', c = row.c, room = 3;
    args.forEach((a, i) => {
      const v = given[i], [t, of] = a.type;
      if (t === 'MLOperand') call.push(handle(v));
      else if (Array.isArray(v) && (a.many || of[0] === 'MLOperand')) { // an array and its length
        const p = f.zero(4 * v.length);
        v.forEach((x, k) => set32(p + 4 * k, a.many ? x : handle(x)));
        call.push(p, v.length);
        if (a.many) { c = a.many; room = v.length; }
      } else if (t === 'sequence') {
        const p = f.zero(S.webnn_list.size);
        setList(p, v, set32);
        call.push(p);
      } else if (T.enums[t]) call.push(T.enums[t][v]);
      else if (T.dictionaries[t]) { label = v.label; call.push(optionsIn(f, t, v)); }
      else { if (a.many) room = Math.min(v, 8192) + 1; call.push(v); }
    });
    if (!row.outputs) return makeOperand(self, madeBy(self, C[c](...call), label));
    const at = f.zero(4 * Math.max(room, 3)), n = madeBy(self, C[c](...call, at), label);
    return Array.from({length: n}, (_, i) => makeOperand(self, get32(at + 4 * i)));
  });
}

// ---- The interfaces, from their descriptions ---------------------------------------------------------------------

const labelOf = typed => typed.at(-1)?.label ? `[${typed.at(-1).label}] ` : '';
function checkReceiver(o, name) { if (state.get(o)?.interface !== name) throw new TypeError('Illegal invocation'); }

// The arguments of a call, converted. Of overloaded operations only readTensor and constant are: constant converts its own.
function convertArguments(op, overloads, given) {
  const args = overloads[0].arguments;
  if (overloads.length === 1) {
    return args.map((x, i) => x.optional && given[i] === undefined ? (T.dictionaries[x.type[0]] ? convert(x.type, undefined, x.name) : undefined) : convert(x.type, given[i], x.name));
  }
  const buffer = overloads.find(o => o.arguments[1])?.arguments[1];
  return given.map((x, i) => op !== 'constant' && i === 0 ? convert(args[0].type, x, args[0].name)
    : op !== 'constant' && i === 1 && x !== undefined ? convert(buffer.type, x, buffer.name) : x);
}
function defineOperation(prototype, name, op, overloads) {
  const row = name === 'MLGraphBuilder' && T.operators[op], args = overloads[0].arguments;
  const least = Math.min(...overloads.map(o => o.arguments.filter(a => !a.optional).length)), promise = overloads[0].returns[0] === 'Promise';
  const body = row ? operatorMethod(row, args) : implementation[name][op];
  const run = (self, given) => {
    checkReceiver(self, name);
    if (given.length < least) throw new TypeError(`${op}: ${least} arguments required, but only ${given.length} present`);
    const typed = convertArguments(op, overloads, given);
    if (row) args.forEach((a, i) => {
      if (a.type[0] === 'MLOperand' && state.get(typed[i]).builder !== self) throw new TypeError(`${labelOf(typed)}${a.name} is of another builder`);
    });
    return body(self, ...typed);
  };
  const method = promise
    ? {[op](...given) { try { return Promise.resolve(run(this, given)); } catch (e) { return Promise.reject(e); } }}[op]
    : {[op](...given) { return run(this, given); }}[op];
  Object.defineProperty(method, 'length', {value: least, configurable: true});
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
const extensions = {
  print: graph => textOf(w => C.webnn_print_graph(expect(graph, 'MLGraph'), w, 0)),
  dot: graph => textOf(w => C.webnn_print_graph_dot(expect(graph, 'MLGraph'), w, 0)),
  profile(graph, on) {
    const h = expect(graph, 'MLGraph');
    if (on !== undefined) return framed(f => { const e = f.error(); C.webnn_profile_graph(h, on ? 1 : 0, e); raise(e); return ''; });
    return textOf(w => C.webnn_print_profile(h, w, 0));
  },
  memory(graph) {
    const h = expect(graph, 'MLGraph');
    return framed(f => {
      const p = f.zero(S.webnn_memory.size);
      C.webnn_graph_memory(p, h);
      fresh();
      return Object.fromEntries(Object.keys(T.structs.webnn_memory.members).map(k => [k, Number(view.getBigUint64(p + S.webnn_memory[k], true))]));
    });
  },
  compare(dataType, actual, expected, tolerance = {}) {
    const t = convert(['MLOperandDataType'], dataType, 'dataType'), a = bytesOf(convert(['AllowSharedBufferSource'], actual, 'actual')), b = bytesOf(convert(['AllowSharedBufferSource'], expected, 'expected'));
    if (a.length !== b.length) throw new TypeError(`actual has ${a.length} bytes, expected has ${b.length}`);
    if (!C) throw new DOMException('compare needs the module: create a context first', 'InvalidStateError');
    return framed(f => {
      const R = S.webnn_comparison, r = f.zero(R.size), w = f.zero(S.webnn_tolerance.size);
      if (tolerance.ulp !== undefined) { view.setFloat64(w + S.webnn_tolerance.value, tolerance.ulp, true); set32(w + S.webnn_tolerance.metric, 0); }
      if (tolerance.atol !== undefined) { view.setFloat64(w + S.webnn_tolerance.value, tolerance.atol, true); set32(w + S.webnn_tolerance.metric, 1); }
      C.webnn_compare(r, T.enums.MLOperandDataType[t], f.data(a), f.data(b), BigInt(Math.floor(a.length * 8 / BITS(t))), w);
      fresh();
      return Object.fromEntries(Object.entries(T.structs.webnn_comparison.members).map(([k, [at, type]]) => [k.replace(/_(\w)/g, (_, x) => x.toUpperCase()),
        type === 'double' ? view.getFloat64(r + at, true) : Number(view.getBigUint64(r + at, true))]));
    });
  },
  held: () => ({objects: HELD.bytes, module: memory?.buffer.byteLength ?? 0}),
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
return {ml, interfaces, extensions, install};
}
