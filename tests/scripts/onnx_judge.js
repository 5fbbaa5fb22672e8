// Models that networks/onnx_judge.py wrote and networks/files/onnx_judge.c ran, in ONNX Runtime (npm
// package onnxruntime-node): do both give the same, and refuse the same?
//
//   node onnx_judge.js [-v] FOLDER
//   node onnx_judge.js --self-test
//
// The package is looked for as usual, and in $ONNXRUNTIME_NODE. Each difference is a failure, with two
// exceptions, which are counted by their reason. Where ONNX Runtime is known to compute something else
// than ONNX's text says, a model has a second formula, and webnn_onnx.h must give what that one gives,
// element by element. Where one side refuses, the side and its words must be in the list below. A result
// that fails or crashes here is never excused. -v shows all.
//
// Each model that is excused or has a second formula is judged again with planted faults: a wrong number
// in each output, another shape, a missing output, a refusal, a failure, a crash. --self-test plants them
// in verdicts on the list below, without ONNX Runtime.
"use strict";
const fs = require("fs");
const path = require("path");
const child = require("child_process");

const worker = process.argv[2] === "--worker";
const selfTest = process.argv[2] === "--self-test";
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

function lines(name, from = folder) {
  return fs.readFileSync(path.join(from, name), "utf8").split("\n");
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
        title: words.slice(4).join(" "), about: "", inputs: [], relative: 1e-4, absolute: 1e-5 });
    const last = cases[cases.length - 1];
    if (words[0] === "input") last.inputs.push(readPort(words));
    if (words[0] === "about") last.about = words.slice(1).join(" ");
    if (words[0] === "second") last.second = { offset: Number(words[1]), length: Number(words[2]), reason: words.slice(3).join(" ") };
    if (words[0] === "tolerance") last.relative = Number(words[1]), last.absolute = Number(words[2]);
  }
  return cases;
}

function readResults(from = folder) {
  const results = new Map();
  let last;
  for (const line of lines("results", from)) {
    const words = line.split(" ");
    if (words[0] === "setting") results.setting = words.slice(1);
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

// All as numbers, 64-bit integers as they are; float64 as the float32 that webnn.h has in its place.
function numbers(type, data) {
  if (type === "float64") return Array.from(data, Math.fround);
  return type === "float16" ? Array.from(new Uint16Array(data.buffer, data.byteOffset, data.length), half) : data;
}

// 4-bit integers and those of 16 bits are carried in wider types by webnn.h; a bool is a uint8.
const carriers = { bool: "uint8", int16: "int32", uint16: "uint32", float64: "float32" };

function near(type, actual, expected, item, largest) {
  if (!/float/.test(type) && item.absolute >= 1) return Math.abs(Number(actual) - Number(expected)) <= item.absolute;
  if (typeof expected === "bigint" || !/float/.test(type)) return BigInt(actual) === BigInt(expected);
  if (Number.isNaN(expected) || Number.isNaN(actual)) return Number.isNaN(actual) && Number.isNaN(expected);
  if (actual === expected) return item.absolute > 0 || Object.is(actual, expected); // signs of zeros, too
  if (item.absolute === 0 || !Number.isFinite(expected)) return false;
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

// What ONNX Runtime gives for a model of `part.length` bytes: its outputs, or the words it refuses with.
async function compute(ort, item, part, data) {
  const options = { logSeverityLevel: 4, intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false, graphOptimizationLevel: "disabled" };
  try {
    const session = await ort.InferenceSession.create(new Uint8Array(data.subarray(part.offset, part.offset + part.length)), options);
    const feeds = {};
    for (const port of item.inputs) {
      const bytes = new Uint8Array(data.subarray(port.offset, port.offset + port.length)).buffer;
      if (session.inputNames.includes(port.name)) feeds[port.name] = new ort.Tensor(port.type, new arrays[port.type](bytes), port.shape);
    }
    const results = await session.run(feeds);
    const outputs = session.outputNames.map((name) => results[name]);
    await session.release();
    return { outputs, refused: "" };
  } catch (error) {
    return { outputs: [], refused: String(error.message).replace(/\s+/g, " ").slice(0, 800) || "without a word" };
  }
}

function difference(item, ours, bytes, theirs) {
  if (theirs.outputs.length !== ours.outputs.length) return `${ours.outputs.length} outputs, not ${theirs.outputs.length}`;
  for (let i = 0; i < theirs.outputs.length; i++) {
    const wrong = compare(item, ours, bytes, i, theirs.outputs[i]);
    if (wrong) return wrong;
  }
  return "";
}

// "" where both agree, "both" where both refuse; else which side refuses and how, or the first difference.
function verdictOf(item, ours, bytes, first) {
  if (ours.failed) return ours.failed;
  if (first.refused && ours.refused) return "both";
  if (first.refused) return `theirs: ${first.refused}`;
  if (ours.refused) return `ours: ${ours.refused.slice(0, 300)}`;
  return difference(item, ours, bytes, first);
}

// The verdict and, unless it is a failure, how the model counts: "passed", "refused" or a known reason.
function judgement(item, ours, bytes, first, second) {
  const verdict = verdictOf(item, ours, bytes, first);
  if (!second || ours.failed) return { verdict, counts: countsAs(item, verdict, ours) };
  if (second.refused && first.refused) return { verdict, counts: countsAs(item, verdict, ours) };
  if (second.refused) return { verdict: `second formula: theirs: ${second.refused}` };
  if (ours.refused) return { verdict: `ours: ${ours.refused}` };
  const wrong = difference(item, ours, bytes, second);
  if (wrong) return { verdict: `${wrong} (by ONNX's text; known of ONNX Runtime: ${item.second.reason})` };
  return { verdict, counts: verdict === "" ? "passed" : item.second.reason };
}

// A number that is not near this one.
function spoilt(array, i) {
  const x = array[i];
  if (array instanceof Uint16Array) return x ^ 0x4000; // float16: another exponent
  if (typeof x === "bigint") return x ^ 8n;
  if (!/Float/.test(array.constructor.name)) return x ^ 8;
  return Number.isFinite(x) ? x + 1 + Math.abs(x) : 0;
}

// What must be reported: [what, results here, their bytes].
function plantedFaults(ours, bytes) {
  const none = { outputs: [], refused: "", failed: "", way: 0 };
  const faults = [["refusal", { ...none, refused: "a planted reason" }, bytes],
    ["failure", { ...ours, failed: "failed a planted reason" }, bytes], ["crash", { ...none, failed: "crashed 139" }, bytes]];
  ours.outputs.forEach((port, k) => {
    const change = (to) => ({ ...ours, outputs: ours.outputs.map((p, n) => n === k ? to : p) });
    faults.push(["shape", change({ ...port, shape: [...port.shape, 1] }), bytes]);
    const copy = new Uint8Array(bytes.subarray(port.offset, port.offset + port.length));
    const array = new arrays[port.type](copy.buffer);
    if (array.length === 0) return;
    const at = array.length - 1;
    array[at] = port.type === "uint16" ? array[at] ^ 8 : spoilt(array, at);
    faults.push(["wrong number", change({ ...port, offset: 0 }), copy, k]);
  });
  if (ours.outputs.length) faults.push(["missing output", { ...ours, outputs: ours.outputs.slice(1) }, bytes]);
  return faults;
}

// The planted faults that are not reported. Of a model that ONNX Runtime refuses and that has no second
// formula, only failures, crashes and refusals can be.
function unnoticed(item, ours, bytes, first, second) {
  const numbers = second && !second.refused || !first.refused, missed = [];
  let planted = 0;
  for (const [what, spoiltOurs, spoiltBytes, k] of plantedFaults(ours, bytes)) {
    if (!numbers && !/refusal|failure|crash/.test(what)) continue;
    if (what === "refusal" && !second && mayBeWrong.test(item.title)) continue; // the difference that is known
    const read = k === undefined ? spoiltBytes : withPart(bytes, ours.outputs[k], spoiltBytes);
    if (k !== undefined) spoiltOurs.outputs[k].offset = ours.outputs[k].offset;
    planted++;
    if (judgement(item, spoiltOurs, read, first, second).counts) missed.push(what);
  }
  return { planted, missed };
}

function withPart(bytes, port, part) {
  const copy = Buffer.from(bytes);
  copy.set(part, port.offset);
  return copy;
}

const settings = [["-f"], []];

function settingText(words) {
  return `${words.includes("-f") ? "fast" : "reference"} context${words.includes("-d") ? ", in sessions" : ""}`;
}

// In which contexts a model that failed is right.
function whereRight(item, first, second) {
  const again = path.join(folder, "again"), right = [];
  fs.mkdirSync(again, { recursive: true });
  for (const words of settings) {
    child.spawnSync(path.join(folder, "onnx_judge"), [...words, "-n", String(item.number), "-o", again, folder], { stdio: "ignore" });
    const ours = readResults(again).get(item.number);
    if (ours && judgement(item, ours, fs.readFileSync(path.join(again, "ours")), first, second).counts) right.push(settingText(words));
  }
  return right.length ? `right with: ${right.join("; ")}` : "wrong in fast and reference contexts";
}

async function work() {
  const ort = require(process.env.ONNXRUNTIME_NODE || "onnxruntime-node");
  const results = readResults();
  const files = { data: fs.readFileSync(path.join(folder, "data")), ours: fs.readFileSync(path.join(folder, "ours")) };
  const cases = readCases();
  for (let i = Number(process.argv[3]); i < cases.length; i++) {
    const item = cases[i], ours = results.get(item.number);
    process.send({ index: i });
    const first = await compute(ort, item, item, files.data);
    const second = item.second && await compute(ort, item, item.second, files.data);
    const found = judgement(item, ours, files.ours, first, second);
    if (!found.counts) found.right = whereRight(item, first, second);
    else if (found.counts !== "refused" && (second || found.counts !== "passed")) found.controls = unnoticed(item, ours, files.ours, first, second);
    process.send({ index: i, found });
  }
  process.disconnect();
}

// A model that ends the process of ONNX Runtime is a fault of its own: the next one goes on after it.
function ended(index) {
  const item = readCases()[index], ours = readResults().get(item.number), verdict = ours.failed || "theirs: the process ended";
  return { verdict, counts: countsAs(item, verdict, ours), right: "the process of ONNX Runtime ended, so not judged" };
}

function verdicts(count) {
  const found = [];
  return new Promise((resolve) => {
    const start = (from) => {
      let current = from;
      const process_ = child.fork(__filename, ["--worker", String(from), folder], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      process_.on("message", (message) => {
        current = message.index;
        if (message.found) found[current] = message.found;
      });
      process_.on("exit", () => {
        if (found.filter((one) => one !== undefined).length >= count || current >= count) return resolve(found);
        if (found[current] === undefined) found[current] = ended(current);
        if (current + 1 >= count) return resolve(found);
        start(current + 1);
      });
    };
    start(0);
  });
}

// ---- What is known --------------------------------------------------------------------------------

// Families whose models may be wrong, so that both may refuse them.
const mayBeWrong = /^(Wrong|Mutated|Retyped|Emptied|Omitted)/;

// Title, the side that refuses, its words, reason.
const known = [
  [/./, "theirs", /Could not find an implementation|Kernel not found/, "no kernel there"],
  [/./, "theirs", /is not supported with ScatterElements/, "no kernel there"],
  [/^OneHot/, "theirs", /Indices tensor must have rank >= 1/, "OneHot: a scalar is refused there, and the standard does not say so"],
  [/^Pad/, "theirs", /Expected:int64 Actual:int32/, "Pad: axes of int32 are refused there, which the standard allows"],
  [/^Einsum/, "theirs", /only subscript labels allowed/, "Einsum: spaces are refused there, which the standard allows"],
  [/^Normalization/, "theirs", /size_ % 2 == 1/, "LRN: even sizes are refused there"],
  [/^Normalization/, "theirs", /LRN.*Compute/, "LRN: it has 4 dimensions there"],
  [/^Recurrent .*layout 1/, "theirs", /layout|Batchwise/, "RNN, GRU, LSTM: layout 1 has no kernel there"],
  [/^Quantize/, "theirs", /quantize_linear.cc/, "QuantizeLinear, DequantizeLinear: blocks larger than the axis have no kernel there"],
  [/^ConvTranspose/, "theirs", /Computed output shape is inconsistent/, "ConvTranspose: an output_padding below the dilation is refused there, which ONNX allows"],
  [/^QLinearConv/, "theirs", /conv_integer.cc/, "ConvInteger: zero points of each channel are refused there"],
  [/^EmbedLayerNormalization/, "theirs", /dimension size (is )?known/, "EmbedLayerNormalization: names for sizes are refused there"],
  [/^Wrong/, "theirs", /Unrecognized attribute|has input size|marked single|Required attribute|Type Error|Neither .split./,
    "models with inputs and attributes too many, or types of a later version, are read here"],
  [/^Mutated/, "theirs", /./, "models of which one thing was changed are refused there"],
  [/^Mutated/, "ours", /./, "models of which one thing was changed are refused here"],
  [/^(Retyped|Emptied|Omitted)/, "theirs", /./, "models in other types, without elements or with parts left out are refused there"],
  [/^Emptied/, "ours", /must have elements/, "results with elements of inputs without any are refused here"],
];

// What both may refuse: models that are wrong by intention, and these.
const wrongForBoth = [
  [mayBeWrong, /./],
  [/^Flatten/, /axis 1 is not one of 0 dimensions/],
  [/^(QLinear)?Conv/, /output height|output width/],
];

function countsAs(item, verdict, ours) {
  if (verdict === "") return "passed";
  if (verdict === "both") return wrongForBoth.some(([title, words]) => title.test(item.title) && words.test(ours.refused)) && "refused";
  const side = /^(theirs|ours): ([^]*)/.exec(verdict);
  if (ours.failed || !side) return "";
  const row = known.find(([title, who, words]) => title.test(item.title) && who === side[1] && words.test(side[2]));
  return row && row[3];
}

// The command that judges this model alone.
function command(item, setting) {
  const [, family, seed, number] = /^(\w+) (\d+)\.(\d+)/.exec(item.title);
  return `make -C tests judge SEED=${seed} ONLY=${family} NUMBER=${number}` + (setting.length ? ` OPTIONS="${setting.join(" ")}"` : "");
}

function report(item, found, setting) {
  console.log(`${item.title}: ${found.verdict}`);
  console.log(`  model: ${item.about}`);
  console.log(`  judged in a ${settingText(setting)}; ${found.right}`);
  console.log(`  alone: ${command(item, setting)}`);
}

// Faults planted in verdicts on models of every row: none of them may be excused.
function testList() {
  const titles = ["Pad", "Conv", "Resize", "Attention", "OneHot", "Einsum", "Normalization", "Recurrent", "Quantize", "ConvTranspose",
    "QLinearConv", "Wrong", "NonZero", "NonMaxSuppression", "Mutated", "Retyped", "Emptied", "Omitted", "Pool", "Unary", "Col2Im", "QLinearRows", "Flatten"];
  const good = { outputs: [], refused: "", failed: "" };
  let planted = 0, missed = 0;
  const plant = (title, ours, verdict) => {
    planted++;
    const counts = countsAs({ title }, verdict, ours);
    if (!counts) return;
    missed++;
    console.log(`onnx_judge: the planted "${verdict}" of ${title} counts as: ${counts}`);
  };
  for (const family of titles) {
    const title = `${family} 1.2 (version 13), layout 1`;
    for (const failed of ["failed a planted reason", "failed empty tensor", "crashed 139", "crashed 14"]) plant(title, { ...good, failed }, failed);
    for (const wrong of ["output 0[3] is 1.5, not 2.5", "output 0[0] is 0, not NaN", "output 0 is [2], not [3]", "no output 1", "1 outputs, not 2"]) plant(title, good, wrong);
    if (family === "Mutated") continue; // whose refusals are the difference that is known
    plant(title, { ...good, refused: "a planted reason" }, "ours: a planted reason");
    if (!mayBeWrong.test(family) || family === "Wrong") plant(title, good, "theirs: a planted reason");
    if (!mayBeWrong.test(family)) plant(title, { ...good, refused: "a planted reason" }, "both");
  }
  console.log(`onnx_judge: ${planted} faults planted in verdicts, ${planted - missed} reported`);
  process.exitCode = missed ? 1 : 0;
}

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
  let passed = 0, failed = 0, skipped = 0, refused = 0, planted = 0;
  for (let i = 0; i < cases.length; i++) {
    const item = cases[i], one = found[i], title = item.title;
    if (one.counts === "refused") refused++;
    else if (one.counts === "passed") passed++;
    else if (one.counts) {
      skipped++;
      reasons.set(one.counts, (reasons.get(one.counts) || 0) + 1);
    } else {
      failed++;
      report(item, one, ways.setting);
    }
    if (one.controls) planted += one.controls.planted;
    for (const what of one.controls ? one.controls.missed : []) {
      failed++;
      console.log(`${title}: a planted ${what} is not reported`);
    }
    if (verbose && one.counts === "refused") console.log(`BOTH ${title}: ${ways.get(item.number).refused}`);
    if (verbose && ways.get(item.number).way > 0) console.log(`WAY ${ways.get(item.number).way} ${title}: ${ways.get(item.number).first}`);
  }
  for (const [reason, count] of reasons) console.log(`onnx_judge: known: ${reason}, ${count}`);
  if (refused) console.log(`onnx_judge: ${refused} models are refused by both`);
  console.log(`onnx_judge: ${planted} faults planted in excused models and those with a second formula`);
  console.log(`${passed + refused} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed ? 1 : 0);
}

if (worker) work();
else if (selfTest) testList();
else main();
