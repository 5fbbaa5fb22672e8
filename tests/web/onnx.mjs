// Models of ONNX that have one node, by the wire format: fields of a number or of bytes.
const varint = n => { const out = []; for (n = BigInt.asUintN(64, BigInt(n)); n > 127n; n >>= 7n) out.push(Number(n & 127n) | 128); out.push(Number(n)); return Buffer.from(out); };
const field = (number, value) => typeof value === 'number' ? Buffer.concat([varint(number << 3), varint(value)])
  : (value => Buffer.concat([varint(number << 3 | 2), varint(value.length), value]))(Buffer.from(value));
const message = (...fields) => Buffer.concat(fields.map(([n, v]) => field(n, v)));
const real = (number, x) => { const b = Buffer.alloc(5); b[0] = number << 3 | 5; b.writeFloatLE(x, 1); return b; };

const ONNX_TYPES = new Map([[Float32Array, 1], [Int32Array, 6], [BigInt64Array, 7], [Uint8Array, 2]]);
const TYPES = {float32: 1, int32: 6, int64: 7, uint8: 2, bool: 9};
const port = (name, type, shape) => message([1, name], [2, message([1, message([1, type], ...shape ? [[2, message(...shape.map(d => [1, message([1, d])]))]] : [])])]);
function attribute([name, value]) {
  if (Array.isArray(value)) return message([1, name], ...value.map(v => [8, v]), [20, 7]);
  if (typeof value === 'string') return message([1, name], [4, value], [20, 3]);
  return value.f === undefined ? message([1, name], [3, value], [20, 2]) : Buffer.concat([message([1, name], [20, 1]), real(2, value.f)]);
}
// `attributes`: whole numbers, lists of them, text, or {f: a number}. `inputs`: [name, shape], of 32 bits, [name, shape, data],
// whose data are in the model, or [name, shape, undefined, type]; undefined is an input that is left out. The outputs are
// y, y1, ..., of the types `results`.
export function model(operator, attributes, inputs, results = ['float32'], version = 17) {
  const given = inputs.filter(Boolean), constants = given.filter(i => i[2]), names = results.map((_, i) => `y${i || ''}`);
  const node = message(...inputs.map(i => [1, i ? i[0] : '']), ...names.map(name => [2, name]), [4, operator], ...Object.entries(attributes).map(a => [5, attribute(a)]));
  const tensors = constants.map(([name, shape, data]) => message(...shape.map(d => [1, d]), [2, ONNX_TYPES.get(data.constructor)], [8, name],
    [9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]));
  const graph = message([1, node], [2, 'g'], ...tensors.map(t => [5, t]), ...given.filter(i => !i[2]).map(([name, shape, , type = 'float32']) => [11, port(name, TYPES[type], shape)]),
    ...names.map((name, i) => [12, port(name, TYPES[results[i]])]));
  return new Uint8Array(message([1, 8], [7, graph], [8, message([1, ''], [2, version])]));
}
