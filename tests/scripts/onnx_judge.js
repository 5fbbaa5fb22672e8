// Models that networks/onnx_judge.py wrote and networks/files/onnx_judge.c ran, in ONNX Runtime (npm
// package onnxruntime-node): do both give the same, and refuse the same?
//
//   node onnx_judge.js [-v] FOLDER
//
// The package is looked for as usual, and in $ONNXRUNTIME_NODE. Each difference is a failure unless it
// is one of those below, where ONNX Runtime departs from the specification or has no kernel, or where
// webnn_onnx.h refuses for a reason that it says; these are counted by their reason. -v shows all.
"use strict";
const fs = require("fs");
const path = require("path");
const child = require("child_process");

const worker = process.argv[2] === "--worker";
const verbose = process.argv[2] === "-v";
const folder = process.argv[process.argv.length - 1];

// ---- Files ----------------------------------------------------------------------------------------

const types = {
  1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool",
  10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 21: "uint4", 22: "int4",
};
const arrays = {
  float32: Float32Array, float16: Uint16Array, float64: Float64Array, int8: Int8Array, uint8: Uint8Array,
  int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  uint64: BigUint64Array, bool: Uint8Array, int4: Int8Array, uint4: Uint8Array,
};

function lines(name) {
  return fs.readFileSync(path.join(folder, name), "utf8").split("\n");
}

function readPort(words) {
  const rank = Number(words[3]);
  return {
    name: words[1], type: types[words[2]] || words[2], shape: words.slice(4, 4 + rank).map(Number),
    offset: Number(words[4 + rank]), length: Number(words[5 + rank]),
  };
}

function readCases() {
  const cases = [];
  for (const line of lines("cases")) {
    const words = line.split(" ");
    if (words[0] === "case")
      cases.push({ number: Number(words[1]), offset: Number(words[2]), length: Number(words[3]),
        title: words.slice(4).join(" "), inputs: [], relative: 1e-4, absolute: 1e-5 });
    const last = cases[cases.length - 1];
    if (words[0] === "input") last.inputs.push(readPort(words));
    if (words[0] === "tolerance") last.relative = Number(words[1]), last.absolute = Number(words[2]);
  }
  return cases;
}

function readResults() {
  const results = new Map();
  let last;
  for (const line of lines("results")) {
    const words = line.split(" ");
    if (words[0] === "case") results.set(Number(words[1]), last = { outputs: [], refused: "", failed: "", way: 0 });
    if (words[0] === "refused") last.refused = words.slice(2).join(" ");
    if (words[0] === "built") last.way = Number(words[1]), last.first = words.slice(2).join(" ");
    if (words[0] === "failed" || words[0] === "crashed") last.failed = line;
    if (words[0] === "output") last.outputs.push(readPort(words));
  }
  return results;
}

// ---- Comparing ------------------------------------------------------------------------------------

function half(bits) {
  const sign = bits >> 15 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// All as numbers, 64-bit integers as they are.
function numbers(type, data) {
  return type === "float16" ? Array.from(new Uint16Array(data.buffer, data.byteOffset, data.length), half) : data;
}

// 4-bit integers and those of 16 bits are carried in wider types by webnn.h; a bool is a uint8.
const carriers = { bool: "uint8", int16: "int32", uint16: "uint32", float64: "float32" };

function near(type, actual, expected, item, largest) {
  if (!/float/.test(type) && item.absolute >= 1) return Math.abs(Number(actual) - Number(expected)) <= item.absolute;
  if (typeof expected === "bigint" || !/float/.test(type)) return BigInt(actual) === BigInt(expected);
  if (Number.isNaN(expected) || Number.isNaN(actual)) return Number.isNaN(actual) && Number.isNaN(expected);
  if (actual === expected) return !(item.signs && expected === 0) || Object.is(actual, expected);
  const relative = type === "float16" ? Math.max(item.relative, 2e-3) : item.relative;
  const absolute = type === "float16" ? Math.max(item.absolute, 1e-3) : item.absolute;
  return Math.abs(actual - expected) <= absolute * Math.max(1, largest) + relative * Math.abs(expected);
}

function compare(item, ours, data, index, theirs) {
  const port = ours.outputs[index];
  if (!port) return "no output " + index;
  if (port.type !== (carriers[theirs.type] || theirs.type)) return `output ${index} is ${port.type}, not ${theirs.type}`;
  if (port.shape.join() !== theirs.dims.join()) return `output ${index} is [${port.shape}], not [${theirs.dims}]`;
  const bytes = new Uint8Array(data.subarray(port.offset, port.offset + port.length)).buffer;
  const actual = numbers(port.type, new arrays[port.type](bytes)), expected = numbers(theirs.type, theirs.data);
  let largest = 0;
  if (/float/.test(theirs.type)) for (const e of expected) if (Number.isFinite(e)) largest = Math.max(largest, Math.abs(e));
  for (let i = 0; i < expected.length; i++)
    if (!near(theirs.type, actual[i], expected[i], item, largest)) return `output ${index}[${i}] is ${actual[i]}, not ${expected[i]}`;
  return "";
}

// ---- Running --------------------------------------------------------------------------------------

async function judge(ort, item, ours, files) {
  const options = { logSeverityLevel: 4, intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false, graphOptimizationLevel: "disabled" };
  let results, names, theirs = "";
  try {
    const session = await ort.InferenceSession.create(new Uint8Array(files.data.subarray(item.offset, item.offset + item.length)), options);
    const feeds = {};
    for (const port of item.inputs) {
      const bytes = new Uint8Array(files.data.subarray(port.offset, port.offset + port.length)).buffer;
      if (session.inputNames.includes(port.name)) feeds[port.name] = new ort.Tensor(port.type, new arrays[port.type](bytes), port.shape);
    }
    results = await session.run(feeds);
    names = session.outputNames;
    await session.release();
  } catch (error) {
    theirs = String(error.message).replace(/\s+/g, " ");
  }
  if (ours.failed) return `${ours.failed}`;
  if (theirs && ours.refused) return "both";
  if (theirs) return `theirs: ${theirs.slice(0, 800)}`;
  if (ours.refused) return `ours: ${ours.refused.slice(0, 300)}`;
  if (names.length !== ours.outputs.length) return `${ours.outputs.length} outputs, not ${names.length}`;
  for (let i = 0; i < names.length; i++) {
    const wrong = compare(item, ours, files.ours, i, results[names[i]]);
    if (wrong) return wrong;
  }
  return "";
}

async function work() {
  const ort = require(process.env.ONNXRUNTIME_NODE || "onnxruntime-node");
  const results = readResults();
  const files = { data: fs.readFileSync(path.join(folder, "data")), ours: fs.readFileSync(path.join(folder, "ours")) };
  const cases = readCases();
  for (let i = Number(process.argv[3]); i < cases.length; i++) {
    process.send({ index: i });
    process.send({ index: i, verdict: await judge(ort, cases[i], results.get(cases[i].number), files) });
  }
  process.disconnect();
}

// A model that ends the process of ONNX Runtime is a fault of its own: the next one goes on after it.
function verdicts(count) {
  const found = [];
  return new Promise((resolve) => {
    const start = (from) => {
      let current = from;
      const process_ = child.fork(__filename, ["--worker", String(from), folder], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      process_.on("message", (message) => {
        current = message.index;
        if ("verdict" in message) found[current] = message.verdict;
      });
      process_.on("exit", () => {
        if (found.filter((verdict) => verdict !== undefined).length >= count || current >= count) return resolve(found);
        if (found[current] === undefined) found[current] = "theirs: the process ended";
        if (current + 1 >= count) return resolve(found);
        start(current + 1);
      });
    };
    start(0);
  });
}

// ---- What is known --------------------------------------------------------------------------------

// Family, verdict, reason.
const known = [
  [/./, /^theirs: .*(Could not find an implementation|Kernel not found)/, "no kernel there"],
  [/./, /^theirs: .*is not supported with ScatterElements/, "no kernel there"],
  [/^OneHot/, /^theirs: .*Indices tensor must have rank >= 1/, "OneHot: a scalar is refused there, and the standard does not say so"],
  [/^Pad .*wrap of a part/, /./, "Pad: wrap with negative pads reads beside the input there"],
  [/^Pad/, /^theirs: .*Expected:int64 Actual:int32/, "Pad: axes of int32 are refused there, which the standard allows"],
  [/^Einsum/, /^theirs: .*only subscript labels allowed/, "Einsum: spaces are refused there, which the standard allows"],
  [/^Normalization/, /^theirs: .*size_ % 2 == 1/, "LRN: even sizes are refused there"],
  [/dilations and SAME/, /./, "dilations with auto_pad SAME are refused there, or not counted"],
  [/SAME that would cut off/, /./, "ConvTranspose: SAME makes input times stride only where the kernel reaches so far there"],
  [/^Dropout .*version ([7-9]|10|11)\)/, /^output 1/, "Dropout: the mask is all false there without training"],
  [/^(Resize|Upsample) .*a size that stays/, /./, "Resize: an axis whose size stays is copied there, whatever its scale and region"],
  [/^Resize .*align_corners by a fraction/, /./, "Resize: align_corners uses the size rounded down there, and ONNX's tests use the product"],
  [/^Resize .*ratio of negative axes/, /./, "Resize: keep_aspect_ratio_policy passes over negative axes there"],
  [/^Recurrent .*layout 1/, /^theirs: /, "RNN, GRU, LSTM: layout 1 has no kernel there"],
  [/^Recurrent .*clip of an LSTM/, /./, "LSTM: the input of the last activation is not clipped there"],
  [/^Pool/, /^theirs: .*padding values must be non-negative/, "pools: SAME is refused there where the window is smaller than the stride"],
  [/^Normalization/, /^theirs: .*LRN.*Compute/, "LRN: it has 4 dimensions there"],
  [/^MatMulInteger/, /^theirs: .*matmul_integer.cc/, "MatMulInteger: zero points of each column are refused there with more dimensions"],
  [/SAME and a window smaller than the stride/, /./, "pools: SAME cuts the input off there where the window is smaller than the stride"],
  [/^Attention/, /^theirs: .*past_key provided and present_key being null/, "Attention: past keys without the present ones as output have no kernel there"],
  [/^Attention .*causal, with another count of keys/, /./, "Attention: the causal mask is aligned to the last key there, and in ONNX to the past ones"],
  [/^Attention .*masked scores/, /-3.4028234663852886e\+38/, "Attention: scores that a mask hides are the least float there, and -infinity in ONNX"],
  [/^Normalization/, /not NaN$/, "MeanVarianceNormalization: it divides by 0 there, and in ONNX by 1e-9 more"],
  [/^Quantize/, /^theirs: .*quantize_linear.cc/, "QuantizeLinear, DequantizeLinear: blocks larger than the axis have no kernel there"],
  [/^DynamicQuantize/, /^output 1\[0\] is 0, not 1/, "DynamicQuantizeLinear: the scale of zeros is 1 there"],
  [/^Wrong/, /^theirs: .*(Unrecognized attribute|has input size|marked single|Required attribute|Type Error|Neither .split.)/,
    "models with inputs and attributes too many, or types of a later version, are read here"],
  [/^ConvTranspose/, /^theirs: .*Computed output shape is inconsistent/, "ConvTranspose: an output_padding below the dilation is refused there, which ONNX allows"],
  [/^Unary/, /is 0, not NaN$/, "Sign: of NaN it is 0 here, as in WebNN"],
  [/^NonZero/, /^ours: .*empty tensor/, "NonZero: of a scalar it is empty, and WebNN has no empty tensors"],
  [/^NonMaxSuppression/, /^ours: .*empty tensor/, "NonMaxSuppression: nothing is left, and WebNN has no empty tensors"],
  [/^Col2Im .*of [13] dimensions/, /./, "Col2Im: padding and dilations are not counted right there but in 2 dimensions"],
  [/^AffineGrid .*a size of 1/, /./, "AffineGrid: with align_corners a single place is 1 there, and -1 in ONNX's reference"],
  [/^QLinearRows .*shares of 1/, /255, not 0$/, "QLinearSoftmax: a share of 1 is beyond 255 / 256, and 0 there"],
  [/^QLinearRows .*windows beyond the padding/, /./, "QLinearAveragePool: what ceil_mode adds is counted as padding there"],
  [/^Mutated/, /^(?!failed|crashed)/, "models of which one thing was changed are read otherwise by one of both"],
  [/^QLinearConv/, /^theirs: .*conv_integer.cc/, "ConvInteger: zero points of each channel are refused there"],
];

async function main() {
  try {
    require.resolve(process.env.ONNXRUNTIME_NODE || "onnxruntime-node");
  } catch (error) {
    const failed = Array.from(readResults().values()).filter((result) => result.failed).length;
    console.log("onnx_judge: skipped: the npm package onnxruntime-node is not there");
    console.log(`0 passed, ${failed} failed, 1 skipped`);
    process.exitCode = failed ? 1 : 0;
    return;
  }
  const cases = readCases(), found = await verdicts(cases.length), reasons = new Map();
  const ways = readResults();
  let passed = 0, failed = 0, skipped = 0, refused = 0;
  for (let i = 0; i < cases.length; i++) {
    const title = cases[i].title, verdict = found[i];
    const entry = known.find(([family, text]) => family.test(title) && text.test(verdict));
    if (verdict === "both") refused++;
    else if (verdict === "") passed++;
    else if (entry) {
      skipped++;
      reasons.set(entry[2], (reasons.get(entry[2]) || 0) + 1);
    } else {
      failed++;
      console.log(`${title}: ${verdict}`);
    }
    if (verbose && verdict === "both") console.log(`BOTH ${title}: ${ways.get(cases[i].number).refused}`);
    if (verbose && ways.get(cases[i].number).way > 0) console.log(`WAY ${ways.get(cases[i].number).way} ${title}: ${ways.get(cases[i].number).first}`);
  }
  for (const [reason, count] of reasons) console.log(`onnx_judge: known: ${reason}, ${count}`);
  if (refused) console.log(`onnx_judge: ${refused} models are refused by both`);
  console.log(`${passed + refused} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed ? 1 : 0);
}

if (worker) work();
else main();
