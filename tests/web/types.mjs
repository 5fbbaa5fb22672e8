// node types.mjs BUILD PACKAGES FOLDER: the declarations for TypeScript, by its compiler (npm typescript): types.mts, which
// has every operator and option and is run, too; what must be refused (types_wrong.mts); the script's (types_script.mts);
// and that the module, its interfaces and extensions have the members that are declared, no more and no fewer. FOLDER is
// for what is written, and lies beside this one's parent, as BUILD does in ../../examples/build.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [build, packages, folder] = process.argv.slice(2).map(p => path.resolve(p)), here = new URL('.', import.meta.url).pathname;
let passed = 0, failed = 0;
const check = (name, right, why = '') => { right ? passed++ : (failed++, console.log(`${name}: ${why}`)); };

// ---- The program, run: every operator and every option is used --------------------------------------------------------

const webnn = await import(pathToFileURL(path.join(build, 'webnn.mjs'))), table = JSON.parse(fs.readFileSync(path.join(build, 'table.json'), 'utf8'));
const used = new Set();
for (const op of Object.keys(table.operators)) {
  const own = webnn.MLGraphBuilder.prototype[op], at = table.interfaces.MLGraphBuilder.operations[op][0].arguments.length - 1;
  webnn.MLGraphBuilder.prototype[op] = function (...given) { used.add(op); for (const key of Object.keys(given[at] ?? {})) used.add(`${op}.${key}`); return own.apply(this, given); };
}
const {createContext} = webnn.ML.prototype;
webnn.ML.prototype.createContext = function (options) { for (const key of Object.keys(options ?? {})) used.add(`createContext.${key}`); return createContext.call(this, options); };
try { await import('./types.mts'); check('types.mts runs', true); } catch (e) { check('types.mts runs', false, e.stack); }
const dictionary = type => table.dictionaries[type] ? [...dictionary(table.dictionaries[type].base), ...table.dictionaries[type].members.map(m => m.name)] : [];
const wanted = Object.keys(table.operators).flatMap(op => [op, ...dictionary(table.interfaces.MLGraphBuilder.operations[op][0].arguments.at(-1).type[0]).map(key => `${op}.${key}`)]);
wanted.push(...[...dictionary('MLContextOptions'), 'numerics', 'thread', 'threads'].map(key => `createContext.${key}`));
const missing = wanted.filter(key => !used.has(key));
check('types.mts uses every operator and option', missing.length === 0 && wanted.length > 250, missing.join(', '));

// ---- Names: those that are declared are those that are there ----------------------------------------------------------

const members = o => Object.getOwnPropertyNames(o).filter(name => name !== 'constructor');
const record = names => `{${names.map(name => `${JSON.stringify(name)}: true`).join(', ')}}`;
fs.mkdirSync(folder, {recursive: true});
const module = `./${path.relative(folder, path.join(build, 'webnn.mjs'))}`;
fs.writeFileSync(path.join(folder, 'names.mts'), [`import * as w from '${module}';`, `export const all: Record<keyof typeof w, true> = ${record(Object.keys(webnn))};`,
  `export const extensions: Record<keyof typeof w.extensions, true> = ${record(Object.keys(webnn.extensions))};`,
  ...Object.entries(webnn.interfaces).map(([name, I]) => `export const ${name}: Record<Exclude<keyof w.${name}, symbol>, true> = ${record(members(I.prototype))};`)].join('\n'));
fs.writeFileSync(path.join(folder, 'script.mts'), `${fs.readFileSync(path.join(here, 'types_script.mts'), 'utf8').replace(/'[^']*webnn\.mjs'/, `'${module}'`)}`);

// ---- The compiler ----------------------------------------------------------------------------------------------------

const tsc = path.join(packages, 'node_modules/typescript/bin/tsc'), STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--module', 'nodenext',
  '--target', 'es2022', '--types', ''];
function compile(name, libraries, ...files) {
  try {
    execFileSync(process.execPath, [tsc, ...STRICT, '--lib', libraries, ...files], {encoding: 'utf8', stdio: 'pipe'});
    check(name, true);
  } catch (e) { check(`${name}, with ${libraries}`, false, (e.stdout || e.message).split('\n').slice(0, 10).join('\n')); }
}
const program = path.join(here, 'types.mts'), script = path.join(build, 'webnn.d.ts');
for (const libraries of ['es2022', 'es2022,dom', 'esnext,webworker', 'esnext,dom']) {
  compile('the module', libraries, program, path.join(folder, 'names.mts'));
  compile('what is wrong', libraries, path.join(here, 'types_wrong.mts'));
}
compile('the script', 'es2022,dom', path.join(folder, 'script.mts'), script);
compile('the script in a worker', 'esnext,webworker', path.join(folder, 'script.mts'), script);
compile('the module beside a DOM that knows the interface', 'es2022,dom', program, script);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
