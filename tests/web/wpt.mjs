// What the runners of web-platform-tests share: the files with their variants, and what is known to fail.
import fs from 'node:fs';
import path from 'node:path';

export const metas = file => [...fs.readFileSync(file, 'utf8').matchAll(/^\/\/ META: (\w+)=(.*)$/gm)].map(m => [m[1], m[2].trim()]);

export function files(root, only) {
  return fs.readdirSync(path.join(root, 'webnn'), {recursive: true}).filter(f => /\.(any|window)\.js$/.test(f) && f.includes(only)).sort().flatMap(f => {
    const file = path.posix.join('webnn', f.replaceAll('\\', '/')), variants = metas(path.join(root, file)).filter(m => m[0] === 'variant').map(m => m[1]);
    return (variants.length ? variants.filter(v => v.includes('cpu')) : ['']).map(variant => ({file, variant}));
  });
}

// The pages of the tests for a browser: what a server answers. `scope`: window or worker.
export function pagesOf(root, build, packages, scope) {
  const idls = path.join(packages, 'node_modules/@webref/idl'), BINDING = '/binding/webnn.js';
  const collect = `setup({explicit_timeout: true, output: false}); add_completion_callback((tests, status) => { self.results = {status: status.status,
    message: status.message, tests: tests.map(t => ({name: t.name, status: t.status, message: t.message}))}; });`;
  return url => {
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
  };
}

// known_failures.txt: "# reason", then lines "FILE | SUBTEST" that it holds for. The subtest HARNESS is the file's end,
// which may be an error.
const HARNESS = 'the harness';
function known() {
  const list = new Set();
  for (const line of fs.readFileSync(new URL('known_failures.txt', import.meta.url), 'utf8').split('\n')) {
    if (line && !line.startsWith('#')) list.add(line);
  }
  return list;
}

// Prints what is new, and the sums; returns the exit status.
export function judge(where, results, only) {
  const list = known();
  let passed = 0, failed = 0, expected = 0;
  for (const r of results) {
    if (r.status && r.status !== 0 && !list.has(`${r.file} | ${HARNESS}`)) { failed++; console.log(`${r.file}${r.variant}: the harness stopped: ${r.message}`); }
    for (const t of r.tests) {
      const name = `${r.file} | ${t.name.replace(/\s+/g, ' ')}`;
      if (!t.status) { passed++; if (list.has(name)) { failed++; console.log(`NEW PASS ${name}`); } continue; }
      if (list.has(name)) expected++;
      else { failed++; console.log(`NEW FAILURE ${name}: ${(t.message || '').replace(/\s+/g, ' ').slice(0, 200)}`); }
    }
  }
  const runs = results.length;
  console.log(`web-platform-tests, ${where}: ${passed} of ${passed + expected + failed} subtests pass in ${runs} runs, ${expected} fail as known_failures.txt says`);
  console.log(`${passed} passed, ${failed} failed, ${expected} skipped`);
  return failed ? 1 : 0;
}
