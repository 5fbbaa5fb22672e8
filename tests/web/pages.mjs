// Pages for the tests that need a browser: a server on this machine that refuses everything else, and Chromium.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {createRequire} from 'node:module';

const TYPES = {'.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html; charset=utf-8', '.wasm': 'application/wasm', '.json': 'application/json', '.css': 'text/css', '.svg': 'image/svg+xml'};

// `answer(url)`: a string or a Buffer, {file}, or undefined. `isolated`: pages have SharedArrayBuffer. Returns {origin, close}.
export async function serve(answer, {isolated = true} = {}) {
  const server = http.createServer((request, response) => {
    const url = decodeURI(request.url.split('?')[0]), a = answer(url);
    if (isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    response.setHeader('Content-Type', url === '/' ? TYPES['.html'] : TYPES[path.extname(url)] ?? 'text/plain');
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
