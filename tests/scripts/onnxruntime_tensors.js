// The npm package onnxruntime-node, and tensors of the files that its judgements are about. The package is
// looked for as usual, and in $ONNXRUNTIME_NODE; without it a closing line says so, and the process ends.
"use strict";

exports.runtime = function (title) {
  try {
    return require(process.env.ONNXRUNTIME_NODE || "onnxruntime-node");
  } catch (error) {
    console.log(`${title}: skipped: the npm package onnxruntime-node is not there`);
    console.log("0 passed, 0 failed, 1 skipped");
    process.exit(0);
  }
};

const arrays = {
  float32: Float32Array, float16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array,
  int4: Uint8Array, uint4: Uint8Array,
};

exports.elements = function (type, bytes) {
  const copy = new Uint8Array(bytes).buffer;
  return new arrays[type](copy);
};
