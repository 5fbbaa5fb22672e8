// node wpt_file.mjs ROOT FILE VARIANT BUILD NUMERICS[,THREAD]: one unmodified file of web-platform-tests in this process, over
// BUILD/webnn.mjs. Prints {status, message, tests: [{name, status, message}]} as JSON; status 0 is a pass.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import {pathToFileURL} from 'node:url';

const [, , root, file, variant, build, given] = process.argv, [numerics, thread = 'worker'] = given.split(',');
const run = f => vm.runInThisContext(fs.readFileSync(f, 'utf8'), {filename: f});
// Before testharness.js, which takes what has been defined when the first task ends for all there is.
const webnn = await import(pathToFileURL(path.resolve(build, 'webnn.mjs')));

// What testharness.js and the tests expect of a global object.
globalThis.self = globalThis;
globalThis.location = {search: variant, pathname: `/${file}`, href: `https://web-platform.test/${file}${variant}`};
self.GLOBAL = {isWindow: () => false, isWorker: () => false, isShadowRealm: () => false};
globalThis.fetch = async u => new Response(fs.readFileSync(path.join(root, u)));
run(path.join(root, 'resources/testharness.js'));
self.window = self; // two files say window; testharness.js must not see it
self.crossOriginIsolated = true;
setup({explicit_timeout: true, output: false});

webnn.install(globalThis);
if (given !== 'fast') { // what the tests ask for, and ours
  const create = ML.prototype.createContext;
  ML.prototype.createContext = function createContext(options) { return create.call(this, {...options, numerics, thread}); };
}

const done = new Promise(resolve => add_completion_callback((tests, status) => resolve({status: status.status, message: status.message,
  tests: tests.map(t => ({name: t.name, status: t.status, message: t.message}))})));
process.on('unhandledRejection', () => {}); // the harness reports its own
const full = path.join(root, file);
for (const [, script] of fs.readFileSync(full, 'utf8').matchAll(/^\/\/ META: script=(.*)$/gm)) {
  const f = script.startsWith('/') ? path.join(root, script.trim()) : path.join(path.dirname(full), script.trim());
  run(f);
}
run(full);
self.done();
const timeout = new Promise(resolve => setTimeout(resolve, 120000, {status: 2, message: 'timeout', tests: []}));
fs.writeSync(1, JSON.stringify(await Promise.race([done, timeout])));
process.exit(0);
