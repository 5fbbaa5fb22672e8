// node picture.mjs FOLDER PACKAGES FILE.png: README's picture of the live page in FOLDER (make -C examples learn): an example of
// conv2d, with the pointer on an element of its result.
import path from 'node:path';
import {openBrowser, serve} from './pages.mjs';

const [, , folder, packages, file] = process.argv;
const server = await serve(url => ({file: path.join(folder, url === '/' ? 'index.html' : url)})), browser = await openBrowser(packages);
const page = await browser.newPage({viewport: {width: 1240, height: 900}});
await page.goto(`${server.origin}/index.html#conv2d-8910`);
await page.evaluate(() => {
  document.querySelectorAll('.chosen').forEach(e => e.classList.remove('chosen'));
  [...document.querySelectorAll('.entry:not([hidden]) .example')].find(e => e.querySelector('textarea').value.includes('1..25')).classList.add('chosen');
});
await page.waitForFunction(() => document.querySelector('.chosen').dataset.computed, null, {timeout: 60000});
const box = page.locator('.chosen');
await box.locator('.grid button').nth(1).hover();
await page.waitForFunction(() => document.querySelector('.chosen .trace').textContent.startsWith('y[0,0,0,1]'), null, {timeout: 60000});
await box.screenshot({path: file, animations: 'disabled'});
await browser.close();
server.close();
