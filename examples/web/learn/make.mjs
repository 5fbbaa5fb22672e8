// node make.mjs MODULE.wasm OPERATORS.md EXAMPLES.json PICTURES DIGITS FOLDER: the live page as a static folder.
// index.html has each entry of docs/operators.md, its examples in boxes and its puzzles, which the module tells;
// digits.html has the network that reads digits. Nothing of the page is written twice: the text is that of the page.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {entries, page} from './page.mjs';

const [, , wasmPath, pagePath, examplesPath, picturesPath, digitsPath, out] = process.argv;
const here = path.dirname(new URL(import.meta.url).pathname);
const {runProgram} = createRequire(import.meta.url)('./system.js');
const markdown = fs.readFileSync(pagePath, 'utf8'), wasm = fs.readFileSync(wasmPath);
const program = new WebAssembly.Module(wasm);

// The puzzles, as the command has them: which there are stands in its message about an operator without one.
function puzzlesOf(program) {
  const ask = (...args) => runProgram(program, ['webnn', 'exercise', ...args, '--docs', 'operators.md'], {'operators.md': markdown});
  const names = ask('none').err.split(' but of ')[1].trim().split(', ');
  const puzzles = [];
  for (const name of names) {
    for (let number = 1; ; number++) {
      const {status, out} = ask(name, '--json', '--example', String(number));
      if (status !== 0) break;
      puzzles.push({...JSON.parse(out), number});
    }
  }
  return puzzles;
}

const base64 = file => fs.readFileSync(file).toString('base64');
fs.mkdirSync(path.join(out, 'pictures'), {recursive: true});
const list = entries(markdown), puzzles = puzzlesOf(program);
fs.writeFileSync(path.join(out, 'index.html'), page(fs.readFileSync(path.join(here, 'index.html'), 'utf8'), list, puzzles));
fs.writeFileSync(path.join(out, 'program.js'), `self.PROGRAM = '${wasm.toString('base64')}';\n`);
fs.writeFileSync(path.join(out, 'texts.js'), `self.TEXTS = ${JSON.stringify({'operators.md': markdown, 'examples.json': fs.readFileSync(examplesPath, 'utf8')})};\n`);
fs.writeFileSync(path.join(out, 'network.js'), `self.NETWORK = '${base64(path.join(digitsPath, 'digits.onnx'))}';\nself.SAMPLES = ${JSON.stringify([...Array(10).keys()].map(d => base64(path.join(digitsPath, 'images', `${d}.pgm`))))};\n`);
for (const file of ['system.js', 'run.js', 'learn.js', 'learn.css', 'digits.js', 'digits.html']) fs.copyFileSync(path.join(here, file), path.join(out, file));
for (const file of fs.readdirSync(picturesPath)) if (file.endsWith('.svg')) fs.copyFileSync(path.join(picturesPath, file), path.join(out, 'pictures', file));
console.log(`${out}: ${list.filter(e => e.operators.length).length} entries, ${puzzles.length} puzzles`);
