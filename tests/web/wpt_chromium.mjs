// node wpt_chromium.mjs ROOT BUILD PACKAGES window|worker [ONLY]: web-platform-tests in a headless Chromium whose
// navigator.ml is ours, judged as wpt_all.mjs does.
import path from 'node:path';
import {files, judge, metas} from './wpt.mjs';
import {openBrowser, serve} from './pages.mjs';

const [, , root, build, packages, scope = 'window', only = ''] = process.argv;
const idls = path.join(packages, 'node_modules/@webref/idl');
const BINDING = '/binding/webnn.js';

const collect = `setup({explicit_timeout: true, output: false}); add_completion_callback((tests, status) => { self.results = {status: status.status,
  message: status.message, tests: tests.map(t => ({name: t.name, status: t.status, message: t.message}))}; });`;
function answer(url) {
  const page = url.match(/^\/(webnn\/.*\.(?:any|window))\.html$/), worker = url.match(/^\/(webnn\/.*\.any)\.worker\.js$/);
  if (page || worker) {
    const js = (page ?? worker)[1] + '.js', scripts = metas(path.join(root, js)).filter(m => m[0] === 'script').map(m => m[1]);
    const all = [BINDING, ...scripts, path.posix.basename(js)];
    if (worker) {
      return `self.GLOBAL = {isWindow: () => false, isWorker: () => true, isShadowRealm: () => false};
        importScripts('/resources/testharness.js'); self.webnnWasm = fetch('/binding/webnn.wasm'); importScripts(${all.map(s => JSON.stringify(s)).join(', ')}); done();`;
    }
    const body = scope === 'worker'
      ? `<script>fetch_tests_from_worker(new Worker('${path.posix.basename(js).replace(/\.js$/, '.worker.js')}' + location.search));</script>`
      : all.map(s => `<script src="${s}"></script>`).join('\n');
    return `<!doctype html><meta charset=utf-8><script>self.GLOBAL = {isWindow: () => true, isWorker: () => false, isShadowRealm: () => false};</script>
      <script src=/resources/testharness.js></script><script>${collect}</script>${body}`;
  }
  if (url.startsWith('/binding/')) return {file: path.join(build, path.basename(url))};
  if (url === '/resources/WebIDLParser.js') return {file: path.join(root, 'resources/webidl2/lib/webidl2.js')};
  if (url.startsWith('/interfaces/')) return {file: path.join(idls, path.basename(url))};
  return {file: path.join(root, url)};
}

const server = await serve(answer), browser = await openBrowser(packages), context = await browser.newContext(), results = [];
// Two files are for windows alone, though their names say otherwise: they say `window`.
const queue = files(root, only).filter(({file}) => scope === 'window' || /\.any\.js$/.test(file) && !/elementwise-(binary|logical)/.test(file));
await Promise.all([0, 1].map(async () => {
  while (queue.length) {
    const {file, variant} = queue.shift(), page = await context.newPage();
    let r;
    try {
      await page.goto(`${server.origin}/${file.replace(/\.js$/, '.html')}${variant}`);
      await page.waitForFunction(() => self.results, null, {timeout: 180000});
      r = await page.evaluate(() => self.results);
    } catch (e) { r = {status: 9, message: e.message.split('\n')[0], tests: []}; }
    await page.close();
    results.push({file, variant, ...r});
  }
}));
const status = judge(`Chromium ${browser.version()}, ${scope}`, results, only);
await browser.close();
server.close();
process.exit(status);
