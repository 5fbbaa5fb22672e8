// The networks that networks/networks.py wrote, in ONNX Runtime and by the command webnn, with fast kernels
// and with exact ones: do the outputs agree?
//
//   node onnx_networks.js FOLDER WEBNN fast,reference
//   node onnx_networks.js FOLDER WEBNN sizes            what networks/onnx_sizes.c has computed, at five sizes each
//
// The command takes the sizes of dimensions from the inputs, which are NPY files. Of each network the largest
// difference of an element is told, in units of its output's root mean square; of a quantized one the elements
// that are a step of the last quantization away.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { runtime, elements } = require("./onnxruntime_tensors.js");

const [folder, webnn, modes] = process.argv.slice(2);
const ort = runtime("networks");

// Differences that other orders of summation explain, which were at most a tenth of this.
const BOUND = 5e-5;
// In a network of 8 bits one sum that rounds to the other side changes what follows, and after some layers a
// good part of the elements: ONNX Runtime with and without its optimizations is as far from itself. So many
// elements may be a step away, half as many more, and some; and none more than a few steps.
const MORE = 1.5, SOME = 0.05, MOST_STEPS = 3;

// Weights of 4 bits are multiplied in float32, not by quantizing the other side as well.
const options = {
  logSeverityLevel: 3, intraOpNumThreads: 2, interOpNumThreads: 1, enableCpuMemArena: false,
  extra: { session: { qdq_matmulnbits_accuracy_level: "0" } },
};

// The file of a port, as the command webnn names it.
function file(name) {
  return `${encodeURIComponent(name)}.bin`;
}

// The session of a network, which stays for its other sizes.
let last = {};
async function sessionOf(network, level) {
  if (modes !== "sizes" || last.network !== network) {
    if (last.session) await last.session.release();
    last = { network, session: await ort.InferenceSession.create(path.join(folder, network, "model.onnx"),
      { ...options, graphOptimizationLevel: level }) };
  }
  return last.session;
}

async function expected(item, level) {
  const session = await sessionOf(item.network, level);
  const feeds = {};
  for (const port of item.inputs) {
    const bytes = fs.readFileSync(path.join(folder, item.name, file(port.name)));
    feeds[port.name] = new ort.Tensor(port.type, elements(port.type, bytes), port.shape);
  }
  const outputs = await session.run(feeds);
  if (modes !== "sizes") {
    await session.release();
    last = {};
  }
  return outputs;
}

function actual(item, mode) {
  if (mode === "sizes")
    return (name) => elements("float32", fs.readFileSync(path.join(folder, item.name, file(name))));
  const out = path.join(folder, item.name, mode);
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  execFileSync(webnn, ["run", path.join(folder, item.name, "model.onnx"), "--inputs", path.join(folder, item.name),
    "--out", out, "--format", "raw", `--${mode}`], { stdio: ["ignore", "ignore", "pipe"] });
  return (name) => elements("float32", fs.readFileSync(path.join(out, file(name))));
}

// The largest difference, in units of the root mean square, and how many elements are a step away, and more.
function differences(actual, expected, step) {
  let largest = 0, power = 0, near = 0, far = 0;
  for (let i = 0; i < expected.length; i++) {
    const apart = Math.abs(actual[i] - expected[i]);
    if (!(apart <= largest)) largest = apart; // NaN counts
    power += expected[i] * expected[i];
    if (step && apart > 0.5 * step) near++;
    if (step && !(apart < (MOST_STEPS + 0.5) * step)) far++;
  }
  const scale = Math.sqrt(power / expected.length);
  return { units: scale > 0 ? largest / scale : Infinity, near, far };
}

// What is to be said of one output, and whether it is right; `other` is ONNX Runtime's own without its
// optimizations, of a quantized network.
function judge(item, name, actual, expected, other) {
  if (actual.length !== expected.length)
    return { right: false, units: Infinity, text: `${name} has ${actual.length} elements, not ${expected.length}` };
  const d = differences(actual, expected, item.step);
  if (!item.step)
    return { right: d.units <= BOUND, units: d.units, text: `${d.units.toExponential(1)} of the scale of ${name}` };
  const itself = differences(other, expected, item.step);
  const right = d.far === 0 && d.near <= MORE * itself.near + SOME * expected.length;
  const text = `${d.near} of ${expected.length} elements a step away, ${d.far} more than ${MOST_STEPS}` +
    ` (ONNX Runtime from itself: ${itself.near})`;
  return { right, units: d.units, text };
}

function compare(item, mode, outputs, others) {
  const read = actual(item, mode);
  let worst = { right: true, units: -1, text: "" };
  for (const name of item.outputs) {
    const verdict = judge(item, name, read(name), outputs[name].data, others && others[name].data);
    if (!verdict.right || (worst.right && verdict.units > worst.units)) worst = verdict;
    if (!worst.right) break;
  }
  return worst;
}

// A line of a list: a network with inputs of its own, or in a folder of it with others.
function read(line) {
  const item = JSON.parse(line);
  return item.folder ? { ...item, name: `${item.network}/${item.folder}` } : { ...item, network: item.name };
}

async function main() {
  let passed = 0, failed = 0;
  const list = path.join(folder, modes === "sizes" ? "sizes" : "list");
  for (const line of fs.readFileSync(list, "utf8").split("\n").filter(Boolean)) {
    const item = read(line), said = [];
    let outputs, others;
    try {
      outputs = await expected(item, "all");
      others = item.step ? await expected(item, "disabled") : null;
    } catch (error) {
      failed++;
      console.log(`FAILED ${item.name}: ONNX Runtime: ${error.message.slice(0, 300)}`);
      continue;
    }
    for (const mode of modes.split(",")) {
      let verdict;
      try {
        verdict = compare(item, mode, outputs, others);
      } catch (error) {
        verdict = { right: false, text: String(error.stderr || error.message).slice(0, 300).trim() };
      }
      if (verdict.right) passed++;
      else failed++;
      said.push(`${verdict.right ? "" : "FAILED "}${mode} ${verdict.text}`);
    }
    console.log(`${item.name}: ${said.join("; ")}`);
  }
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  process.exit(failed ? 1 : 0);
}
main();
