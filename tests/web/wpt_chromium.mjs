// node wpt_chromium.mjs ROOT BUILD PACKAGES window|worker [ONLY]: web-platform-tests in a headless Chromium whose
// navigator.ml is ours, judged as wpt_all.mjs does.
import {files, judge, pagesOf} from './wpt.mjs';
import {openBrowser, serve} from './pages.mjs';

const [, , root, build, packages, scope = 'window', only = ''] = process.argv;
const server = await serve(pagesOf(root, build, packages, scope)), browser = await openBrowser(packages), context = await browser.newContext(), results = [];
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
