// Models that networks/onnx_write.c wrote with --out, in ONNX Runtime (npm package onnxruntime-node):
// do its results agree with those of webnn.h's reference contexts?
//
//   node onnxruntime.js FOLDER
//
// What ONNX Runtime's CPU has no kernel for, where ONNX has another rule than WebNN, and what is a fault
// of its own is listed as skipped.
"use strict";
const fs = require("fs");
const path = require("path");
const { runtime, elements } = require("./onnxruntime_tensors.js");

const folder = process.argv[2];
const ort = runtime("onnxruntime");

function half(bits) {
  const sign = bits >> 15 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// A difference that other orders of summation and other functions explain; integers are equal, but
// those that were rounded from floats.
function near(type, actual, expected, rounded) {
  if (typeof expected === "bigint") return actual === expected;
  if (Number.isNaN(expected)) return Number.isNaN(actual);
  if (actual === expected) return true;
  const apart = Math.abs(actual - expected);
  if (type === "float32") return apart <= 2e-5 + 2e-4 * Math.abs(expected);
  if (type === "float16") return apart <= 5e-3 + 5e-3 * Math.abs(expected);
  return rounded && apart <= 1 + 1e-6 * Math.abs(expected);
}

function compare(port, tensor, rounded) {
  const expected = elements(port.type, fs.readFileSync(path.join(folder, port.file)));
  if (tensor.type !== port.type) return `${port.name} is ${tensor.type}, not ${port.type}`;
  if (tensor.dims.join() !== port.shape.join())
    return `${port.name} is [${tensor.dims}], not [${port.shape}]`;
  const actual = tensor.data;
  for (let i = 0; i < expected.length; i++) {
    const a = port.type === "float16" ? half(new Uint16Array(actual.buffer, actual.byteOffset)[i]) : actual[i];
    const e = port.type === "float16" ? half(expected[i]) : expected[i];
    if (!near(port.type, a, e, rounded)) return `${port.name}[${i}] is ${a}, not ${e}`;
  }
  return "";
}

const options = { logSeverityLevel: 4, intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false };

async function play(item) {
  const session = await ort.InferenceSession.create(path.join(folder, item.model), options);
  const feeds = {};
  for (const port of item.inputs)
    feeds[port.name] = new ort.Tensor(port.type, elements(port.type, fs.readFileSync(path.join(folder, port.file))), port.shape);
  const results = await session.run(feeds);
  const rounded = /^(quantizeLinear|qdq|resample2d)/.test(item.case);
  let wrong = "";
  for (const port of item.outputs) wrong = wrong || compare(port, results[port.name], rounded);
  await session.release();
  return wrong;
}

// Where ONNX has another rule than WebNN, or the runtime a fault: names of cases and what is said.
const different = [
  [/out-of-bound|out of bound/, /indices element out of data bounds|invalid indices|index out of|indice|idx=|invalid index|gather_elements/i],
  [/^clamp: clamp int64 1D tensor/, /-4147483648, not -2/], // its int64 minimum and maximum compare 32 bits
];

async function main() {
  const missing = new Map();
  let passed = 0, failed = 0, skipped = 0;
  for (const line of fs.readFileSync(path.join(folder, "list"), "utf8").split("\n").filter(Boolean)) {
    const item = JSON.parse(line);
    let message;
    if (item.inputs.concat(item.outputs).some((port) => /int4$/.test(port.type))) {
      missing.set("int4 and uint4, which the package has not", (missing.get("int4 and uint4, which the package has not") || 0) + 1);
      skipped++;
      continue;
    }
    try {
      message = await play(item);
    } catch (error) {
      message = String(error.message);
    }
    const kernel = /Could not find an implementation for (\w+)\(/.exec(message);
    if (message === "") {
      passed++;
    } else if (kernel || different.some(([name, text]) => name.test(item.case) && text.test(message))) {
      const what = kernel ? `${kernel[1]} (${item.case.replace(/:.*/, "")})` : `${item.case}`;
      missing.set(what, (missing.get(what) || 0) + 1);
      skipped++;
    } else {
      failed++;
      console.log(`${item.case}: ${message.slice(0, 300)}`);
    }
  }
  for (const [what, count] of missing) console.log(`onnxruntime: skipped (no kernel, another rule or a known fault): ${what}, ${count}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed ? 1 : 0);
}
main();
