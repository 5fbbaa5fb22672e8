// The page of the network that reads digits: paper to draw on, the network's layers, and where a number comes from.
const byId = id => document.getElementById(id);
const fromBase64 = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
const SIDE = 28, LONGER = 20; // what the network was trained on: the longer side 20 pixels, the mass in the middle
const network = fromBase64(self.NETWORK), paper = byId('paper'), ink = paper.getContext('2d', {willReadFrequently: true});
let pixels = new Float32Array(SIDE * SIDE), layers = [];

// ---- The paper

function clear() {
  ink.fillStyle = '#000';
  ink.fillRect(0, 0, paper.width, paper.height);
  ink.strokeStyle = ink.fillStyle = '#fff';
  ink.lineWidth = 22;
  ink.lineCap = ink.lineJoin = 'round';
}

function stroke(from, to) {
  ink.beginPath();
  ink.moveTo(from.x, from.y);
  ink.lineTo(to.x + 0.01, to.y);
  ink.stroke();
}

const placeOf = event => {
  const box = paper.getBoundingClientRect();
  return {x: (event.clientX - box.left) * paper.width / box.width, y: (event.clientY - box.top) * paper.height / box.height};
};
let last = null, pen = {x: 140, y: 140, down: false};
paper.addEventListener('pointerdown', event => { paper.setPointerCapture(event.pointerId); last = placeOf(event); stroke(last, last); read(); });
paper.addEventListener('pointermove', event => {
  if (!last) return;
  const to = placeOf(event);
  stroke(last, to);
  last = to;
  read();
});
for (const end of ['pointerup', 'pointercancel']) paper.addEventListener(end, () => { last = null; });
paper.addEventListener('keydown', event => {
  const step = {ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10]}[event.key];
  if (!step && event.key !== ' ') return;
  event.preventDefault();
  const from = {...pen};
  if (step) {
    pen.x = Math.min(270, Math.max(10, pen.x + step[0]));
    pen.y = Math.min(270, Math.max(10, pen.y + step[1]));
  } else {
    pen.down = !pen.down;
  }
  byId('pen').textContent = `the pen is ${pen.down ? 'down' : 'up'} at ${pen.x / 10}, ${pen.y / 10}`;
  if (pen.down) { stroke(from, pen); read(); }
});

// The mean of the paper over a rectangle, 0 to 1.
function mean(grey, width, height, x0, y0, x1, y1) {
  let sum = 0;
  for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, Math.ceil(y1)); y++)
    for (let x = Math.max(0, Math.floor(x0)); x < Math.min(width, Math.ceil(x1)); x++)
      sum += grey[y * width + x] * (Math.min(x + 1, x1) - Math.max(x, x0)) * (Math.min(y + 1, y1) - Math.max(y, y0));
  return sum / ((x1 - x0) * (y1 - y0));
}

// The digit as the network wants it: its longer side is 20 of 28 pixels, its centre of mass in the middle.
function normalize(grey, width, height) {
  let x0 = width, x1 = 0, y0 = height, y1 = 0;
  for (let i = 0; i < grey.length; i++) {
    if (grey[i] <= 0.2) continue;
    const x = i % width, y = Math.floor(i / width);
    x0 = Math.min(x0, x); x1 = Math.max(x1, x + 1); y0 = Math.min(y0, y); y1 = Math.max(y1, y + 1);
  }
  const out = new Float32Array(SIDE * SIDE);
  if (x1 <= x0) return out;
  const unit = Math.max(x1 - x0, y1 - y0) / LONGER;
  let cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
  for (let pass = 0; pass < 2; pass++) {
    let mass = 0, mx = 0, my = 0;
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        const left = cx + (x - SIDE / 2) * unit, top = cy + (y - SIDE / 2) * unit;
        const v = out[y * SIDE + x] = mean(grey, width, height, left, top, left + unit, top + unit);
        mass += v; mx += v * (x + 0.5); my += v * (y + 0.5);
      }
    }
    if (pass === 0) { cx += (mx / mass - SIDE / 2) * unit; cy += (my / mass - SIDE / 2) * unit; }
  }
  return out;
}

function takePaper() {
  const data = ink.getImageData(0, 0, paper.width, paper.height).data, grey = new Float32Array(paper.width * paper.height);
  for (let i = 0; i < grey.length; i++) grey[i] = data[4 * i] / 255;
  return normalize(grey, paper.width, paper.height);
}

// ---- The network

const files = () => ({'digits.onnx': network, 'input.json': JSON.stringify([{name: 'image', dataType: 'float32', shape: [1, 1, SIDE, SIDE], data: [...pixels]}])});

const read = latest(async () => {
  pixels = takePaper();
  const {status, out, err} = await run(['webnn', 'run', '--exact', 'digits.onnx', '--all', '--inputs', 'input.json'], files());
  if (status !== 0) { byId('answer').textContent = err; return; }
  const {outputs, intermediates} = JSON.parse(out).cases[0];
  layers = [{name: 'image', shape: [1, 1, SIDE, SIDE], data: [...pixels], given: true}, ...intermediates, ...outputs];
  const chances = outputs[0].data, best = chances.indexOf(Math.max(...chances));
  byId('answer').textContent = pixels.some(v => v > 0) ? `It is a ${best}, with ${(100 * chances[best]).toFixed(1)} %.` : 'Nothing is drawn yet.';
  byId('answer').dataset.digit = best;
  showChart(outputs[0]);
  showLayers();
});

function showChart({name, data}) {
  const rows = data.map((p, digit) => {
    const row = document.createElement('tr'), ask = document.createElement('button'), bar = document.createElement('span');
    ask.type = 'button';
    ask.textContent = p < 0.0005 ? p.toExponential(1) : p.toFixed(3);
    ask.setAttribute('aria-label', `${digit}: ${p}, where does it come from?`);
    ask.addEventListener('click', () => explain(name, [0, digit]));
    bar.className = 'bar';
    bar.style.width = `${100 * p}%`;
    row.append(Object.assign(document.createElement('th'), {scope: 'row', textContent: digit}), document.createElement('td'), document.createElement('td'));
    row.cells[1].append(bar);
    row.cells[2].append(ask);
    return row;
  });
  const focused = [...byId('chart').querySelectorAll('button')].indexOf(document.activeElement);
  byId('chart').replaceChildren(...rows);
  if (focused >= 0) rows[focused].querySelector('button').focus();
}

const placeText = index => `[${index.join(',')}]`;

// A plane of a layer as a picture: black is 0, light is positive, blue is negative. The arrow keys choose an element.
function plane(layer, lead, width, height, offset, largest) {
  const canvas = document.createElement('canvas'), context = canvas.getContext('2d'), data = context.createImageData(width, height);
  canvas.width = width;
  canvas.height = height;
  canvas.className = height === 1 ? 'map row' : 'map';
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'button');
  canvas.setAttribute('aria-label', `${layer.name}${placeText(lead)}, ${width} by ${height}: arrow keys choose an element`);
  for (let i = 0; i < width * height; i++) {
    const v = layer.data[offset + i] / largest, shade = Math.round(255 * Math.abs(v));
    data.data.set(v >= 0 ? [shade, shade, shade, 255] : [0, Math.round(shade / 2), shade, 255], 4 * i);
  }
  context.putImageData(data, 0, 0);
  let at = {x: 0, y: 0};
  const ask = () => explain(layer.name, [...lead, ...(layer.shape.length === 4 ? [at.y, at.x] : [at.x])]);
  canvas.addEventListener('click', event => {
    if (event.detail > 0) {
      const box = canvas.getBoundingClientRect();
      at = {x: Math.min(width - 1, Math.floor((event.clientX - box.left) * width / box.width)), y: Math.min(height - 1, Math.floor((event.clientY - box.top) * height / box.height))};
    }
    ask();
  });
  canvas.addEventListener('keydown', event => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Enter: [0, 0], ' ': [0, 0]}[event.key];
    if (!step) return;
    event.preventDefault();
    at = {x: Math.min(width - 1, Math.max(0, at.x + step[0])), y: Math.min(height - 1, Math.max(0, at.y + step[1]))};
    ask();
  });
  return canvas;
}

function showLayers() {
  byId('layers').replaceChildren(...layers.map(layer => {
    const box = document.createElement('section'), maps = document.createElement('div'), [, channels, height, width] = layer.shape;
    const largest = Math.max(1e-30, ...layer.data.map(Math.abs));
    maps.className = 'maps';
    if (layer.shape.length === 4)
      for (let c = 0; c < channels; c++) maps.append(plane(layer, [0, c], width, height, c * height * width, largest));
    else
      maps.append(plane(layer, [0], channels, 1, 0, largest));
    box.append(Object.assign(document.createElement('h4'), {textContent: `${layer.name} [${layer.shape.join(', ')}], up to ${Number(largest.toPrecision(4))}`}), maps);
    return box;
  }));
}

// ---- Where a number comes from

// The trace with every element that was read as a button, which asks on.
async function explain(name, index) {
  const box = byId('trace'), layer = layers.find(l => l.name === name);
  if (layer?.given) {
    box.textContent = `${name}${placeText(index)} is what was drawn: ${layer.data[index[2] * SIDE + index[3]]}`;
    return;
  }
  const {out, err} = await run(['webnn', 'trace', 'digits.onnx', '--inputs', 'input.json', '--output', name, '--index', index.join(',')], files());
  box.replaceChildren(...(out || err).split(/(\b\w+\[\d+(?:,\d+)*\])/).map((part, i) => {
    const place = i % 2 ? part.match(/^(\w+)\[(.*)\]$/) : null;
    if (!place || !layers.some(l => l.name === place[1]) || (i === 1 && place[1] === name)) return part;
    const button = Object.assign(document.createElement('button'), {type: 'button', className: 'ask', textContent: part});
    button.addEventListener('click', async () => {
      await explain(place[1], place[2].split(',').map(Number));
      box.focus();
    });
    return button;
  }));
}

// ---- Digits that are drawn: PGM pictures

function samplePixels(bytes) {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64)).match(/^P5\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+(\d+)\s/);
  const [width, height, most] = head.slice(1).map(Number), grey = new Float32Array(width * height);
  const inverted = bytes[head[0].length] > most / 2; // the corner is paper
  for (let i = 0; i < grey.length; i++) {
    const v = bytes[head[0].length + i] / most;
    grey[i] = inverted ? 1 - v : v;
  }
  return {grey, width, height};
}

function drawSample(bytes) {
  const {grey, width, height} = samplePixels(bytes), image = new ImageData(width, height), small = document.createElement('canvas');
  for (let i = 0; i < grey.length; i++) image.data.set([255 * grey[i], 255 * grey[i], 255 * grey[i], 255], 4 * i);
  small.width = width;
  small.height = height;
  small.getContext('2d').putImageData(image, 0, 0);
  clear();
  ink.drawImage(small, 0, 0, paper.width, paper.height);
  read();
}

for (const [digit, text] of self.SAMPLES.entries()) {
  const button = Object.assign(document.createElement('button'), {type: 'button', textContent: digit});
  button.addEventListener('click', () => drawSample(fromBase64(text)));
  byId('samples').append(button);
}
byId('clear').addEventListener('click', () => { clear(); read(); });
clear();
read();
