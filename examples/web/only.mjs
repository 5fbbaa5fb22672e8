// node only.mjs FOLDER list|exports OPERATOR...: for a module of these operators alone, by their names in the
// specification: what WEBNN_ONLY_OPERATORS is, or which functions the linker keeps for the binding in FOLDER.
import fs from 'node:fs';
import path from 'node:path';

const [, , folder, what, ...names] = process.argv;
const read = file => fs.readFileSync(path.join(folder, file), 'utf8'), {operators, functions} = JSON.parse(read('table.json'));
const unknown = names.find(name => !operators[name]);
if (unknown || !names.length) {
  console.error(unknown ? `${unknown} is no operator` : 'no operators are named: make web-small OPERATORS="conv2d clamp"');
  process.exit(1);
}
const used = new Set([...read('webnn.mjs').matchAll(/\bC\.(webnn_\w+)/g)].map(m => m[1]));
for (const name of names) used.add(operators[name].c).add(`${operators[name].c}_sizes`);
console.log(what === 'list' ? names.map(name => `X(${operators[name].c.slice('webnn_'.length).toUpperCase()})`).join(' ')
  : Object.keys(functions).filter(f => used.has(f)).map(f => `--export=${f}`).join(' '));
