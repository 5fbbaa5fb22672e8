// node browser.mjs firefox|webkit ROOT BUILD PACKAGES [window [ONLY]]: the binding in another browser than Chromium: the tests of
// threads (threads.mjs), whose graphs are also computed by one thread and by the script; or with `window` web-platform-tests
// below ROOT, each page in a frame, judged as wpt_all.mjs does.
import path from 'node:path';
import {inBrowser} from './pages.mjs';
import {files, judge, pagesOf} from './wpt.mjs';

const [, , name, root, build, packages, scope, only = ''] = process.argv, here = new URL('.', import.meta.url).pathname;
if (scope) {
  const queue = files(root, only).map(t => ({...t, url: `/${t.file.replace(/\.js$/, '.html')}${t.variant}`}));
  const script = `async () => {
    const results = [], queue = ${JSON.stringify(queue)};
    await Promise.all([0, 1].map(async () => {
      while (queue.length) {
        const {url, ...t} = queue.shift(), frame = document.createElement('iframe'), until = performance.now() + 120000;
        frame.src = url;
        document.body.append(frame);
        while (!frame.contentWindow.results && performance.now() < until) await new Promise(resolve => setTimeout(resolve, 20));
        results.push({...t, ...JSON.parse(JSON.stringify(frame.contentWindow.results ?? {status: 9, message: 'timeout', tests: []}))});
        frame.remove();
      }
    }));
    return {results, browser: navigator.userAgent.match(/(Firefox|Version)\\/[\\d.]+/)[0]};
  }`;
  const {results, browser, error} = await inBrowser(name, pagesOf(root, build, packages, scope), script, 1500);
  if (error) throw new Error(error);
  process.exit(judge(`${browser.replace('/', ' ')}, ${scope}`, results, only));
}

let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };
const answer = url => ({file: path.join(url === '/threads.mjs' ? here : build, path.basename(url))});
const found = await inBrowser(name, answer, `async () => {
  const webnn = await import('/webnn.mjs'), {testThreads} = await import('/threads.mjs'), failures = [], isolated = crossOriginIsolated;
  let right = 0;
  await testThreads(webnn, (name, is, why = '') => { is ? right++ : failures.push(name + ': ' + why); });
  const script = document.createElement('script');
  script.src = '/webnn.js';
  await new Promise(resolve => { script.onload = resolve; document.head.append(script); });
  const c = await navigator.ml.createContext({thread: 'calling'}), b = new MLGraphBuilder(c), d = {dataType: 'float16', shape: [2], readable: true, writable: true};
  const g = await b.build({y: b.relu(b.input('x', d))}), [x, y] = [await c.createTensor(d), await c.createTensor(d)];
  c.writeTensor(x, Float16Array.of(-1, 2));
  c.dispatch(g, {x}, {y});
  return {right, failures, isolated, script: [...new Float16Array(await c.readTensor(y))].join(), thread: self.webnn.extensions.thread(await navigator.ml.createContext())};
}`, 240).catch(e => ({error: e.message}));
check('the page', !found.error, found.error);
(found.failures ?? []).forEach(f => check('threads', false, f));
passed += found.right ?? 0;
check('tests', found.right > 50, found.right);
check('isolated', found.isolated === true);
check('the script', found.script === '0,2' && found.thread === 'worker', `${found.script} ${found.thread}`);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
