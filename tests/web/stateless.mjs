// node stateless.mjs OBJECT: that helpers may share the memory of the module of this object, though its libc knows no threads.
// The object has no variable that changes, and what functions that are called by address call of libc has no state. Those of
// planning and of the backend are called by the first thread alone. Reads the listing of llvm-objdump.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';

const FIRST_ALONE = /^webnn__(plan|rule|infer|cpu|default)_/, STATELESS = ['memchr', 'memcmp', '__multi3']; // the last multiplies 128 bits
const object = process.argv[2], list = more => execFileSync('llvm-objdump', ['-r', ...more, object], {encoding: 'utf8', maxBuffer: 1 << 28});
const calls = new Map(), byAddress = new Set();
let current;
for (const line of `${list([])}\n${list(['-d', '--no-show-raw-insn'])}`.split('\n')) {
  const begins = /^[0-9a-f]+ <(.+)>:$/.exec(line), [, kind, name] = /R_WASM_(FUNCTION_INDEX_LEB|TABLE_INDEX_\w+)\s+([^\s+]+)/.exec(line) ?? [];
  if (begins) calls.set(current = begins[1], calls.get(begins[1]) ?? new Set());
  else if (kind === 'FUNCTION_INDEX_LEB') calls.get(current)?.add(name);
  else if (name) byAddress.add(name);
}

let passed = 0, failed = 0;
const check = (right, why) => { right ? passed++ : (failed++, console.log(why)); };
const variables = new Set(fs.readFileSync(object, 'latin1').match(/\.t?(?:data|bss)\.[\w.]+/g));
check(variables.size === 0, `variables that change: ${[...variables].join(', ')}`);
const kernels = [...byAddress].filter(name => !FIRST_ALONE.test(name) && calls.has(name));
check(kernels.includes('webnn__run_lent_slice') && kernels.includes('webnn__run_conv2d') && kernels.length > 100, `only ${kernels.length} kernels are found`);
check([...byAddress].some(name => reached(name).has('malloc')), 'no function reaches malloc, so that the listing was misread');
function reached(from) {
  const all = new Set([from]);
  for (const name of all) calls.get(name)?.forEach(callee => all.add(callee));
  return all;
}
for (const kernel of kernels) {
  const outside = [...reached(kernel)].filter(name => !calls.has(name) && !STATELESS.includes(name));
  check(outside.length === 0, `${kernel} calls ${outside.join(', ')}`);
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
