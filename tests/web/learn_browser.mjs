// node learn_browser.mjs firefox|webkit FOLDER: the live page in another browser than Chromium, in a frame: every example of every
// entry, a changed one, a trace, and the ten digits. By hand; learn_chromium.mjs looks closer.
import path from 'node:path';
import {inBrowser} from './pages.mjs';

const [, , name, folder] = process.argv;
async function visit() { // in the page
  const until = async (what, f, seconds = 60) => {
    for (const end = performance.now() + 1000 * seconds; performance.now() < end; await new Promise(resolve => setTimeout(resolve, 20))) {
      const found = f();
      if (found) return found;
    }
    throw new Error(`${what} did not come`);
  };
  const open = async file => {
    const frame = document.createElement('iframe');
    frame.style = 'width: 1200px; height: 900px';
    frame.src = file;
    document.body.append(frame);
    await new Promise(resolve => { frame.onload = resolve; });
    frame.contentWindow.addEventListener('error', e => errors.push(e.message));
    return frame.contentWindow;
  };
  const errors = [], failures = [], check = (what, right) => { right ? passed++ : failures.push(what); };
  let passed = 0;
  const learn = await open('/index.html'), page = learn.document, boxes = id => [...page.getElementById(id).querySelectorAll('.example')];
  for (const id of [...page.querySelectorAll('.entry')].filter(e => e.querySelector('.example')).map(e => e.id)) {
    learn.location.hash = id;
    await until(`the examples of ${id}`, () => boxes(id).every(e => e.dataset.computed));
    const wrong = [...page.getElementById(id).querySelectorAll('.verdict.wrong')].map(e => e.textContent);
    check(`${id}: ${wrong}`, wrong.length === 0);
  }
  learn.location.hash = 'conv2d-8910';
  const box = boxes('conv2d-8910').find(e => e.querySelector('textarea').value.includes('1..25')), area = box.querySelector('textarea'), first = () => box.querySelector('.grid button');
  check('the first result', first().textContent === '396');
  area.value = area.value.replace('1..25', '2..26');
  area.dispatchEvent(new learn.Event('input', {bubbles: true}));
  await until('another result', () => box.dataset.computed === 'changed' && first().textContent === '424');
  first().focus();
  await until('the trace', () => box.querySelector('.trace').textContent.startsWith('y[0,0,0,0]'));
  passed += 2;
  const digits = (await open('/digits.html')).document;
  await until('the empty paper', () => digits.getElementById('answer').textContent === 'Nothing is drawn yet.');
  for (let d = 0; d < 10; d++) {
    digits.querySelectorAll('#samples button')[d].click();
    await until(`the digit ${d}`, () => digits.getElementById('answer').dataset.digit === String(d));
    passed++;
  }
  return {passed, failures: [...failures, ...errors], browser: navigator.userAgent.match(/(Firefox|Version)\/[\d.]+/)[0]};
}
const {passed = 0, failures = [], error, browser} = await inBrowser(name, url => ({file: path.join(folder, url)}), String(visit), 300).catch(e => ({error: e.message}));
failures.forEach(f => console.log(f));
if (error) console.log(error);
console.log(`${browser}: the live page\n${passed} passed, ${failures.length + (error ? 1 : 0)} failed, 0 skipped`);
process.exit(failures.length || error ? 1 : 0);
