// node learn_chromium.mjs FOLDER PACKAGES PICTURES: the live page in a headless Chromium, by pointer and by keyboard, at 400
// and at 1200 pixels, from a server and from the disk. No request may leave the folder, and no error may come.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {openBrowser, serve} from './pages.mjs';

const [, , folder, packages, pictures] = process.argv;
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${String(why).split('\n')[0]}`)); };
const server = await serve(url => ({file: path.join(folder, url === '/' ? 'index.html' : url)})), browser = await openBrowser(packages);
const disk = pathToFileURL(path.resolve(folder)).href;
fs.mkdirSync(pictures, {recursive: true});

async function open(width, height, address) {
  const context = await browser.newContext({viewport: {width, height}, hasTouch: width < 600}), page = await context.newPage();
  page.on('request', r => check('a request', /^(blob|data):/.test(r.url()) || r.url().startsWith(server.origin) || r.url().startsWith(disk), r.url()));
  page.on('pageerror', e => check('an error in the page', false, e.message));
  page.on('console', m => check('a message in the console', m.type() !== 'error', m.text()));
  await page.goto(address);
  return page;
}
// The box that is worked on: of conv2d that of the picture's example, of other entries the first.
const box = page => page.locator('.entry:not([hidden]) .example').and(page.locator('.chosen'));
const choose = (page, text) => page.evaluate(t => {
  document.querySelectorAll('.chosen').forEach(e => e.classList.remove('chosen'));
  [...document.querySelectorAll('.entry:not([hidden]) .example')].find(e => e.querySelector('textarea').value.includes(t)).classList.add('chosen');
}, text);
const computed = (page, as) => page.waitForFunction(s => document.querySelector('.chosen').dataset.computed === s, as, {timeout: 60000});
const tells = (page, text) => page.waitForFunction(t => document.querySelector('.chosen .trace').textContent.startsWith(t), text, {timeout: 60000});
const wide = page => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

async function operators(width) {
  const at = name => `${name} at ${width}`, page = await open(width, 900, `${server.origin}/index.html#conv2d-8910`), area = box(page).locator('textarea');
  await choose(page, '1..25');
  await computed(page, 'as in the page');
  check(at('the verdict'), (await box(page).locator('.verdict').textContent()) === 'right, bit by bit');
  check(at('the first result'), (await box(page).locator('.grid button').first().textContent()) === '396');
  check(at('no line is wider than the screen'), !await wide(page));
  await page.screenshot({path: path.join(pictures, `conv2d_${width}.png`)});
  // Typing changes the result, the verdict and the picture.
  const before = await page.locator('.entry:not([hidden]) figure img').first().getAttribute('src');
  await area.fill((await area.inputValue()).replace('1..25', '2..26'));
  await computed(page, 'changed');
  check(at('typing changes the result'), (await box(page).locator('.grid button').first().textContent()) === '424', await box(page).locator('.grid').innerText());
  check(at('typing changes the verdict'), /line \d+, column \d+: y is \[424/.test(await box(page).locator('.verdict').textContent()), await box(page).locator('.verdict').textContent());
  const after = await page.locator('.entry:not([hidden]) figure img').first().getAttribute('src');
  check(at('the picture is drawn again'), after !== before && after.startsWith('blob:'), after);
  await area.fill('y = conv2d(');
  await computed(page, 'changed');
  check(at('half a line is told so'), (await box(page).locator('.verdict').textContent()).startsWith('line '), await box(page).locator('.verdict').textContent());
  await box(page).locator('.reset').click();
  await computed(page, 'as in the page');
  check(at('as in the page again'), (await box(page).locator('.grid button').first().textContent()) === '396');
  // The trace, by pointer and by keyboard.
  const trace = box(page).locator('.trace');
  await box(page).locator('.grid button').nth(1).hover();
  await tells(page, 'y[0,0,0,1]');
  check(at('the trace'), (await trace.textContent()).includes('x[0,0,1,1] · w'), await trace.textContent());
  await box(page).locator('.grid button').first().focus();
  await page.keyboard.press('ArrowDown');
  await tells(page, 'y[0,0,1,0]');
  check(at('one stop of the tab key'), await box(page).locator('.grid button[tabindex="0"]').count() === 1);
  // A puzzle by keyboard alone.
  const puzzle = page.locator('.entry:not([hidden]) .puzzle').first();
  await puzzle.locator('input').focus();
  await page.keyboard.type('int row = p, column = q;');
  await page.keyboard.press('Enter');
  await puzzle.locator('.verdict.wrong').waitFor();
  check(at('a wrong line'), (await puzzle.locator('.verdict').textContent()).startsWith('wrong: output[0,0,0,0] is '), await puzzle.locator('.verdict').textContent());
  await puzzle.scrollIntoViewIfNeeded();
  await page.screenshot({path: path.join(pictures, `puzzle_${width}.png`)});
  // On a narrow screen code that scrolls is a stop of the tab key, too.
  for (let i = 0; i < 4 && !await page.evaluate(() => document.activeElement.matches('.solution')); i++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // shows the page's line
  await page.keyboard.press('Enter');
  await puzzle.locator('.verdict.right').waitFor();
  check(at('the right line'), (await puzzle.locator('.verdict').textContent()).startsWith('right: '));
  // Another entry by the list, and every entry computes.
  if (width < 600) await page.locator('nav summary').click();
  await page.locator('#filter').fill('matmul');
  check(at('the filter'), await page.locator('nav li:visible').count() === 1);
  await page.locator('nav li:visible a').click();
  await page.waitForFunction(() => document.activeElement.textContent.startsWith('matmul'));
  await choose(page, '');
  await computed(page, 'as in the page');
  await page.screenshot({path: path.join(pictures, `matmul_${width}.png`)});
  check(at('names of all that takes input'), await page.evaluate(() => [...document.querySelectorAll('textarea, input, button')].every(e => e.labels?.length || e.textContent.trim() || e.getAttribute('aria-label'))));
  check(at('one heading of the first level'), await page.locator('h1').count() === 1);
  if (width > 600) {
    for (const id of await page.evaluate(() => [...document.querySelectorAll('.entry')].filter(s => s.querySelector('.example')).map(s => s.id))) {
      await page.evaluate(i => { location.hash = i; }, id);
      await page.waitForFunction(i => [...document.getElementById(i).querySelectorAll('.example')].every(e => e.dataset.computed), id, {timeout: 60000});
      const wrong = await page.locator(`[id="${id}"] .verdict.wrong`).allTextContents();
      check(`the examples of ${id}`, wrong.length === 0, wrong);
      check(`${id} is no wider than the screen`, !await wide(page));
    }
  }
  await page.context().close();
}

async function digits(width) {
  const at = name => `${name} at ${width}`, page = await open(width, 900, `${server.origin}/digits.html`), answer = page.locator('#answer');
  const empty = () => page.waitForFunction(() => document.getElementById('answer').textContent === 'Nothing is drawn yet.', null, {timeout: 60000});
  await empty();
  for (let d = 0; d < 10; d++) {
    await page.locator('#samples button').nth(d).click();
    await page.waitForFunction(n => document.getElementById('answer').dataset.digit === String(n), d, {timeout: 30000}).catch(() => {});
    check(at(`the digit ${d}`), (await answer.textContent()).startsWith(`It is a ${d}`), await answer.textContent());
  }
  // Drawn by hand: a stroke from top to bottom is a 1.
  await page.locator('#clear').click();
  await empty();
  const paper = await page.locator('#paper').boundingBox();
  await page.mouse.move(paper.x + paper.width / 2, paper.y + 30);
  await page.mouse.down();
  await page.mouse.move(paper.x + paper.width / 2 - 5, paper.y + paper.height - 30, {steps: 12});
  await page.mouse.up();
  await page.waitForFunction(() => document.getElementById('answer').textContent.startsWith('It is a 1'), null, {timeout: 30000}).catch(() => {});
  check(at('a stroke'), (await answer.textContent()).startsWith('It is a 1'), await answer.textContent());
  // The same by keyboard.
  await page.locator('#clear').click();
  await empty(); // else the answer to the stroke before, which is the same, would do
  await page.locator('#paper').focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowUp');
  await page.keyboard.press(' ');
  for (let i = 0; i < 18; i++) await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.getElementById('answer').textContent.startsWith('It is a 1'), null, {timeout: 30000}).catch(() => {});
  check(at('a stroke by keyboard'), (await answer.textContent()).startsWith('It is a 1'), await answer.textContent());
  // Where a number comes from, down to the pixels.
  await page.locator('#chart button').nth(1).click();
  await page.waitForFunction(() => document.getElementById('trace').textContent.startsWith('probabilities[0,1] = softmax'));
  const ask = async name => {
    await page.locator('#trace .ask', {hasText: new RegExp(`^${name}`)}).last().click();
    await page.waitForFunction(n => document.getElementById('trace').textContent.startsWith(n), name);
  };
  for (const name of ['gemm_16', 'relu_13', 'gemm_12', 'reshape_9', 'relu_8', 'conv2d_7', 'relu_4', 'conv2d_3', 'image']) await ask(name);
  check(at('down to a pixel'), (await page.locator('#trace').textContent()).includes('is what was drawn'));
  check(at('planes of all layers'), await page.locator('.map').count() === 1 + 8 + 8 + 16 + 16 + 5, await page.locator('.map').count());
  await page.locator('.map').nth(1).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.getElementById('trace').textContent.startsWith('conv2d_3[0,0,0,1] = conv2d'));
  check(at('no line is wider than the screen'), !await wide(page));
  await page.screenshot({path: path.join(pictures, `digits_${width}.png`), fullPage: true});
  await page.context().close();
}

for (const width of [400, 1200]) {
  await operators(width);
  await digits(width);
}
const page = await open(1200, 900, `${disk}/index.html`);
await page.locator('nav a', {hasText: /^relu/}).click();
await page.waitForFunction(() => document.activeElement.textContent.startsWith('relu'));
await choose(page, '');
await computed(page, 'as in the page');
check('from the disk', (await box(page).locator('.verdict').textContent()) === 'right, bit by bit');
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
