// node threads_chromium.mjs BUILD PACKAGES: the tests of threads (threads.mjs) in a headless Chromium's page that is cross-origin
// isolated, for the module and the script; and a page that is not, which has one thread and loads no module for more.
import path from 'node:path';
import {openBrowser, serve} from './pages.mjs';

const [, , build, packages] = process.argv, here = new URL('.', import.meta.url).pathname;
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };
const asked = [];
function answer(url) {
  asked.push(url);
  if (url === '/') return '<!doctype html><meta charset=utf-8><title>threads</title>';
  return {file: path.join(url === '/threads.mjs' ? here : build, path.basename(url))};
}
const browser = await openBrowser(packages);
async function visit(isolated, f) {
  asked.length = 0;
  const server = await serve(answer, {isolated}), page = await browser.newPage(), name = isolated ? 'isolated' : 'not isolated';
  page.on('pageerror', e => check(`${name}: an error in the page`, false, e.message));
  await page.goto(server.origin);
  check(name, await page.evaluate(() => crossOriginIsolated) === isolated);
  await f(page);
  await page.close();
  server.close();
}

await visit(true, async page => {
  const found = await page.evaluate(async () => {
    const webnn = await import('/webnn.mjs'), {testThreads} = await import('/threads.mjs'), failures = [];
    let right = 0;
    await testThreads(webnn, (name, is, why = '') => { is ? right++ : failures.push(`${name}: ${why}`); });
    return {right, failures};
  });
  passed += found.right;
  found.failures.forEach(f => check('isolated', false, f));
  check('isolated: tests', found.right > 50, found.right);
  check('isolated: the module for threads', asked.includes('/webnn-threads.wasm'), asked);
});
await visit(true, async page => {
  await page.addScriptTag({url: '/webnn.js'});
  const n = await page.evaluate(async () => (await webnn.extensions.threads(await webnn.ml.createContext({threads: 3}))).threads);
  check('the script: threads', n === 3, n);
});
await visit(false, async page => {
  const found = await page.evaluate(async () => {
    const {ml, MLGraphBuilder, extensions} = await import('/webnn.mjs'), c = await ml.createContext({threads: 3}), b = new MLGraphBuilder(c);
    const d = {dataType: 'float32', shape: [128, 128], readable: true, writable: true}, x = b.input('x', d), g = await b.build({y: b.matmul(x, x)});
    const [i, o] = [await c.createTensor(d), await c.createTensor(d)];
    c.writeTensor(i, new Float32Array(128 * 128).fill(0.5));
    c.dispatch(g, {x: i}, {y: o});
    return {...await extensions.threads(c), thread: extensions.thread(c), right: new Float32Array(await c.readTensor(o)).every(v => v === 32)};
  });
  check('not isolated: one thread', found.threads === 1 && found.thread === 'worker' && found.right, JSON.stringify(found));
  check('not isolated: no module for threads', !asked.includes('/webnn-threads.wasm'), asked);
});
await browser.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
