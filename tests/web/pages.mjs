// Pages for the tests that need a browser: a server on this machine that refuses everything else, Chromium, and others.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import os from 'node:os';
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';

const TYPES = {'.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html; charset=utf-8', '.wasm': 'application/wasm', '.json': 'application/json', '.css': 'text/css', '.svg': 'image/svg+xml'};

// `answer(url, body)`: a string or a Buffer, {file}, or undefined. `isolated`: pages have SharedArrayBuffer. Returns {origin, close}.
export async function serve(answer, {isolated = true} = {}) {
  const server = http.createServer(async (request, response) => {
    const url = decodeURI(request.url.split('?')[0]), body = request.method === 'POST' ? Buffer.concat(await request.toArray()).toString() : undefined, a = answer(url, body);
    if (isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    response.setHeader('Content-Type', url === '/' || url === '/start' ? TYPES['.html'] : TYPES[path.extname(url)] ?? 'text/plain');
    if (a?.file === undefined && a !== undefined) return response.end(a);
    fs.readFile(a?.file ?? '', (error, data) => { if (error) response.statusCode = 404; response.end(data); });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {origin: `http://localhost:${server.address().port}`, close: () => server.close()};
}

export async function openBrowser(packages) {
  const {chromium} = createRequire(path.join(packages, 'node_modules', 'x.js'))('playwright-core');
  return chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--js-flags=--expose-gc']});
}

// Other browsers have no driver here: they open a page whose script, the text of an async function without arguments, sends
// what it returns to the server. Promises that, or an error after `seconds`. WebKit's browser needs a display (xvfb-run).
const OTHERS = {
  firefox: (url, profile) => [process.env.FIREFOX ?? '/usr/bin/firefox-esr', ['--headless', '--no-remote', '--profile', profile, url]],
  webkit: url => [process.env.WEBKIT ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser', [url]],
};
export async function inBrowser(name, answer, script, seconds) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), `webnn-${name}-`));
  let reply;
  const replied = new Promise((resolve, reject) => { reply = resolve; setTimeout(reject, 1000 * seconds, new Error(`no reply within ${seconds} s`)).unref(); });
  const program = `(${script})().catch(e => ({error: \`\${e.message} \${e.stack}\`})).then(r => fetch('/reply', {method: 'POST', body: JSON.stringify(r)}));`;
  const server = await serve((url, body) => url === '/reply' ? (reply(JSON.parse(body)), '')
    : url === '/start' ? `<!doctype html><meta charset=utf-8><title>${name}</title><script type=module>${program}</script>` : answer(url));
  const browser = spawn(...OTHERS[name](`${server.origin}/start`, profile), {stdio: 'ignore'}), ended = new Promise(resolve => browser.on('exit', resolve));
  try {
    return await Promise.race([replied, ended.then(code => { throw new Error(`${name} ended with ${code}`); })]);
  } finally {
    browser.kill();
    await ended;
    server.close();
    fs.rmSync(profile, {recursive: true, force: true});
  }
}
