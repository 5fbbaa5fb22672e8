// node trace_chromium.mjs PAGE PACKAGES PICTURE: the page of `webnn trace --html` of the picture's conv2d in a headless
// Chromium, from the disk: what is shown at first, what lights up by pointer and by keyboard, where links lead.
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {openBrowser} from './pages.mjs';

const [, , file, packages, picture] = process.argv;
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };
const browser = await openBrowser(packages), page = await browser.newPage({viewport: {width: 1300, height: 900}});
page.on('request', r => check('a request', r.url().startsWith('file:'), r.url()));
page.on('console', m => check('a message in the console', m.type() !== 'error', m.text()));
await page.goto(pathToFileURL(path.resolve(file)).href);

const shown = () => page.locator('section:visible h2').allTextContents().then(all => all.map(h => h.split(' ')[0]).join(' '));
const section = () => page.locator('section:visible');
// The numbers of the rows and of the frames that are lit.
const lit = () => section().evaluate(s => [...s.querySelectorAll('tr[class]')].filter(r => getComputedStyle(r).backgroundColor === 'rgb(255, 224, 138)').map(r => r.className).join(' ')
  + ', ' + [...s.querySelectorAll('g[class]')].filter(g => getComputedStyle(g.querySelector('rect')).fillOpacity !== '0').map(g => g.getAttribute('class')).join(' '));
const expect = async (name, got, wanted) => check(name, await got === wanted, `${await got}, not ${wanted}`);

await expect('the first element is open', shown(), 'y[0,0,0,0]');
await expect('nothing is lit', lit(), ', ');
await section().locator('tr.k3').hover();
await expect('a line lights its frames', lit(), 'k3, k3 k3');
await section().locator('g.k2 rect').first().hover();
await expect('a frame lights its line', lit(), 'k2, k2 k2');
await page.screenshot({path: picture});
await page.mouse.move(0, 0);
await section().locator('tr.k1').focus();
await expect('the keyboard lights a line', lit(), 'k1, k1 k1');
await page.keyboard.press('Tab');
await expect('and the next', lit(), 'k2, k2 k2');
const beside = await section().evaluate(s => s.querySelector('.picture').getBoundingClientRect().left >= s.querySelector('.terms').getBoundingClientRect().right);
check('the picture stands beside the lines', beside);
await page.locator('a', {hasText: '344'}).click();
await expect('a link opens another element, alone', shown(), 'y[0,0,0,1]');
await section().locator('a', {hasText: 'before'}).click();
await expect('and back', shown(), 'y[0,0,0,0]');
await page.setViewportSize({width: 400, height: 800});
check('no line is wider than a narrow screen', !await page.evaluate(() => document.documentElement.scrollWidth > innerWidth));
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
