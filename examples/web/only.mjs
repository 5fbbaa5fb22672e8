// node only.mjs TABLE.json list|exports OPERATOR...: for a module of these operators alone, by their names in the
// specification: what WEBNN_ONLY_OPERATORS is, or which functions the linker keeps.
import fs from 'node:fs';

const [, , file, what, ...names] = process.argv, {operators, functions} = JSON.parse(fs.readFileSync(file));
const unknown = names.find(name => !operators[name]);
if (unknown || !names.length) {
  console.error(unknown ? `${unknown} is no operator` : 'no operators are named: make web-small OPERATORS="conv2d clamp"');
  process.exit(1);
}
const others = Object.entries(operators).filter(([name]) => !names.includes(name)).flatMap(([, {c}]) => [c, `${c}_sizes`]);
console.log(what === 'list' ? names.map(name => `X(${operators[name].c.slice('webnn_'.length).toUpperCase()})`).join(' ')
  : Object.keys(functions).filter(f => !others.includes(f)).map(f => `--export=${f}`).join(' '));
