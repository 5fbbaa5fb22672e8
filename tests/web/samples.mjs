// node samples.mjs FOLDER BUILD PACKAGES: what needs no download of the samples of webmachinelearning/webnn-samples, whose
// checkout is FOLDER, over our navigator.ml in Chromium: NNotepad's own tests, and the programs of `code`, whose results are
// known. Nothing of it is here. Older states of both name MLTensorUsage, which the interface no longer has.
import fs from 'node:fs';
import path from 'node:path';
import {openBrowser, serve} from './pages.mjs';

const [, , folder, build, packages] = process.argv;
const BINDING = '<script>self.MLTensorUsage = {};</script><script src="/binding/webnn.js" data-replace></script>';
const server = await serve(url => url === '/' ? `<!doctype html><meta charset=utf-8>${BINDING}`
  : url.startsWith('/binding/') ? {file: path.join(build, path.basename(url))}
  : url === '/nnotepad/tests.html' ? fs.readFileSync(path.join(folder, url), 'utf8').replace('<script', `${BINDING}<script`) : {file: path.join(folder, url)});
const browser = await openBrowser(packages);
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };

async function open(url) {
  const page = await browser.newPage();
  page.on('pageerror', e => check(url, false, e.message));
  // The one module that newer states take from elsewhere.
  await page.route(/webidl2@[^/]*\/index\.js$/, route => route.fulfill({contentType: 'text/javascript', path: path.join(packages, 'node_modules/webidl2/index.js')}));
  await page.route(/webidl2@[^/]*\/lib\//, route => route.fulfill({contentType: 'text/javascript', path: path.join(packages, 'node_modules/webidl2', new URL(route.request().url()).pathname.replace(/^.*webidl2@[^/]*/, ''))}));
  await page.goto(server.origin + url);
  return page;
}

// The tests have ended when none has been added for a while: their harness says nothing of an end.
if (fs.existsSync(path.join(folder, 'nnotepad/tests.html'))) {
  const page = await open('/nnotepad/tests.html');
  const found = await page.evaluate(async () => {
    const all = () => document.querySelectorAll('details > div');
    for (let n = -1; n !== all().length || n === 0;) { n = all().length; await new Promise(resolve => setTimeout(resolve, 3000)); if (performance.now() > 60000) break; }
    return [...all()].map(e => ({text: e.innerText || e.textContent, failed: e.classList.contains('failure')}));
  });
  const wrong = found.filter(t => t.failed);
  wrong.forEach(t => check('NNotepad', false, t.text));
  passed += found.length - wrong.length;
  check('NNotepad', found.length >= 50, `only ${found.length} tests`);
  console.log(`NNotepad: ${found.length - wrong.length} of ${found.length} of its tests pass`);
} else check('NNotepad', false, `there is no ${folder}/nnotepad/tests.html`);

const RESULTS = {'simple_graph.js': Array(8).fill(2.25), 'mul_add.js': Array(4).fill(1), 'matmul.js': Array(9).fill(3.2)};
for (const [name, expected] of Object.entries(RESULTS)) {
  const page = await open('/'), code = fs.readFileSync(path.join(folder, 'code/samples', name), 'utf8');
  const text = await page.evaluate(async code => {
    let text = '';
    const Async = (async () => {}).constructor, console = {log: (...given) => { text += given.join(' '); }};
    self.sizeOfShape = shape => shape.reduce((a, b) => a * b, 1); // what the samples' page gives them
    await new Async('console', code)(console);
    return text;
  }, code).catch(e => e.message);
  const values = text.replace(/^.*:\s*/s, '').split(',').map(Number);
  check(name, values.length === expected.length && values.every((v, i) => Math.abs(v - expected[i]) < 1e-6), text);
}
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
