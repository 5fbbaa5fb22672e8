// node learn.mjs FOLDER OPERATORS.md LINES WEBNN: the live page without a browser. Its boxes have the text of
// docs/operators.md; every example is right in the module and has the bits of the command WEBNN; every puzzle takes the
// page's own line, and refuses those of LINES (tests/reference/exercise_lines.txt) as the command does.
import fs from 'node:fs';
import path from 'node:path';
import {execFileSync, spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [, , folder, pagePath, linesPath, native] = process.argv;
const read = name => fs.readFileSync(path.join(folder, name), 'utf8');
const {runProgram} = createRequire(import.meta.url)(path.resolve(folder, 'system.js'));
const markdown = fs.readFileSync(pagePath, 'utf8'), html = read('index.html');
const program = new WebAssembly.Module(Buffer.from(read('program.js').match(/'([^']*)'/)[1], 'base64'));
const run = (files, ...args) => runProgram(program, args, files);
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${String(why).split('\n')[0]}`)); };
const plain = text => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&');

// ---- The text
const fences = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map(m => ({language: m[1], text: m[2]}));
const examples = fences.filter(f => f.language === 'webnn').map(f => f.text);
const boxes = [...html.matchAll(/<textarea[^>]*>\n([\s\S]*?)<\/textarea>/g)].map(m => plain(m[1]));
check('as many boxes as examples', boxes.length === examples.length && boxes.length > 100, `${boxes.length}, not ${examples.length}`);
examples.forEach((text, i) => check(`example ${i + 1} of the page`, boxes[i] === text, boxes[i]));
const code = [...html.matchAll(/<form class="puzzle" data-operator="(\w+)" data-number="(\d+)" data-line="([^"]*)"[\s\S]*?<pre>([\s\S]*?)<\/pre>[\s\S]*?<pre>([\s\S]*?)<\/pre>/g)]
  .map(([, operator, number, line, before, after]) => ({operator, number, line: plain(line), text: plain(before) + plain(line) + plain(after)}));
const loops = fences.filter(f => f.language === 'c' && f.text.startsWith('/* plain:'));
check('a puzzle for each of the loops', code.length === loops.length && loops.length > 35, `${code.length}, not ${loops.length}`);
loops.forEach((f, i) => check(`loops ${i + 1} of the page`, code[i]?.text === f.text, code[i]?.text));
for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) check(`#${id}`, html.includes(` id="${id}"`), 'a link to nothing');
check('every operator has an entry', [...markdown.matchAll(/^### (.*) \(8\.9\.(\d+)/gm)].every(([, title]) => html.includes(title)));
for (const file of fs.readdirSync(folder).filter(f => /\.(html|css)$/.test(f)))
  for (const [, , target] of read(file).matchAll(/(src|href)="([^"#]*)"/g))
    check(`${file}: ${target}`, target === '' || target.startsWith('data:') || target.startsWith('https:') || fs.existsSync(path.join(folder, target)), 'is not in the folder');
for (const [tag] of html.matchAll(/<(?:img|script|link)[^>]*>/g)) check(tag, !/(src|href)="https?:/.test(tag), 'loads from outside');

// ---- Examples: right, and the same bits as the command's
examples.forEach((text, i) => {
  const files = {'page.md': `\`\`\`webnn\n${text}\n\`\`\`\n`}, came = run(files, 'webnn', 'examples', 'page.md');
  check(`example ${i + 1}`, came.status === 0, came.err);
  const traced = run(files, 'webnn', 'trace', 'page.md', '--all');
  const expected = spawnSync(native, ['trace', pagePath, '--example', String(i + 1), '--all'], {encoding: 'utf8', maxBuffer: 1 << 28});
  check(`example ${i + 1}, traced`, traced.out === expected.stdout && traced.out.length > 0, traced.err || traced.out);
});
const changed = run({'page.md': '```webnn\nx: f32[2] = [1, 2];\ny = relu(x);\ny == [1, 3];\n```\n'}, 'webnn', 'examples', 'page.md');
check('a wrong number', changed.status === 1 && changed.err.startsWith('page.md:4:1: y is [1, 2], not [1, 3]'), changed.err);
const trapped = run({'page.md': '```webnn\nx: f32[2] = 1; y = rely(x); y == 1;\n```\n'}, 'webnn', 'examples', 'page.md');
check('no such operator', trapped.status === 1 && trapped.err.includes('no operator "rely"'), trapped.err);

// ---- Pictures
const drawn = run({'page.md': '```webnn\nx: f32[1, 1, 4, 4] = 1..16;\nw: f32[1, 1, 2, 2] = 1..4;\ny = conv2d(x, w, strides=[2, 2]);\ny == 1;\n```\n',
  'operators.md': markdown, 'examples.json': fs.readFileSync(path.join(path.dirname(pagePath), '../examples/pictures/examples.json'), 'utf8')},
'pictures', 'operators.md', 'examples.json', '.', 'conv2d', 'page.md', 'y');
check('a picture', drawn.status === 0 && /^<svg[\s\S]*<\/svg>\s*$/.test(new TextDecoder().decode(drawn.files['conv2d.svg'])), drawn.err);
const whole = run({'operators.md': markdown, 'examples.json': fs.readFileSync(path.join(path.dirname(pagePath), '../examples/pictures/examples.json'), 'utf8')}, 'pictures', 'operators.md', 'examples.json', '.', 'conv2d');
check('the picture of the page, to the byte', Buffer.from(whole.files['conv2d.svg'] ?? []).equals(fs.readFileSync(path.join(path.dirname(pagePath), 'pictures/conv2d.svg'))), whole.err);

// ---- Puzzles
const judge = (operator, number, line) => run({'operators.md': markdown}, 'webnn', 'exercise', operator, '--example', number, '--docs', 'operators.md', '--line', line);
for (const p of code) {
  const came = judge(p.operator, p.number, p.line);
  check(`${p.operator}, its own line`, came.status === 0 && came.out.startsWith('right: '), came.out + came.err);
}
for (const row of fs.readFileSync(linesPath, 'utf8').trim().split('\n')) {
  const [operator, number, line, status, message] = row.split('@'), came = judge(operator, number, line);
  check(`${operator}, ${line}`, came.status === Number(status) && (came.out + came.err).includes(message), `${came.status} ${came.out}${came.err}`);
  if (came.status === 1) check(`${operator}, ${line}, the first wrong element`, /^wrong: \w+(\[[\d,]*\])? is .+, not .+\n\n\w+(\[[\d,]*\])? = /.test(came.out), came.out);
  const command = spawnSync(native, ['exercise', operator, '--example', number, '--docs', pagePath, '--line', line], {encoding: 'utf8'});
  check(`${operator}, ${line}, as the command`, command.stdout === came.out && command.stderr === came.err, came.out + came.err);
}

// ---- The network
const network = Buffer.from(read('network.js').match(/NETWORK = '([^']*)'/)[1], 'base64');
const input = JSON.stringify([{name: 'image', dataType: 'float32', shape: [1, 1, 28, 28], fill: 0.5}]);
const digits = run({'digits.onnx': network, 'input.json': input}, 'webnn', 'run', '--exact', 'digits.onnx', '--all', '--inputs', 'input.json');
fs.writeFileSync(path.join(folder, '..', 'learn_input.json'), input);
fs.writeFileSync(path.join(folder, '..', 'digits.onnx'), network);
const theirs = execFileSync(native, ['run', '--exact', path.join(folder, '..', 'digits.onnx'), '--all', '--inputs', path.join(folder, '..', 'learn_input.json')], {encoding: 'utf8'});
check('the network of digits', digits.out === theirs && JSON.parse(digits.out).cases[0].intermediates.length === 8, digits.err);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
