// node generate.mjs WEBIDL2.JS WEBNN.IDL WEBNN.H FOLDER
//
// Makes the table that the bindings are driven by, from the two texts that describe the interface: the Web IDL of
// the specification and webnn.h's own declarations. No operator is named here. Where the texts do not agree it stops,
// with the place. Into FOLDER go
//
//   table.json   {enums, dictionaries, interfaces: the IDL's, each value and member with its place in C;
//                 structs: size and members of C's structs in wasm32, {name: [offset, C type, count]};
//                 functions: C's, {returns, parameters, names, note}; operators: {name in the IDL: {c, outputs}};
//                 operatorNames: in the order of webnn_op; more: operators that the IDL lacks, {name: {c, outputs, arguments,
//                 note}}; dynamic: WEBNN_DYNAMIC_DIMENSION; backend: webnn_backend's {version, signatures}}
//   webnn.js     the binding for scripts (pages, workers), webnn.mjs for modules (pages, workers, Node), of binding.js
//   webnn.d.mts, webnn.d.ts   the declarations of the module and of the script for TypeScript
//
// A type of the IDL is a list: ['unsigned long', 'EnforceRange'], ['sequence', ['MLOperand']], ['union', ...].
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';

const [, , webidl2Path, idlPath, headerPath, folder] = process.argv;
const disagree = (place, why) => { throw new Error(`${place}: ${why}`); };
const camel = name => name.replace(/_(\w)/g, (_, x) => x.toUpperCase());
const snake = name => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase().replace(/(\d)_d\b/, '$1d').replace(/(\d)_d_/, '$1d_');

// ---- C: constants, enumerations, structs with their places in wasm32, functions ----------------------------------

const SCALARS = {bool: 1, char: 1, float: 4, double: 8, uint32_t: 4, int32_t: 4, size_t: 4, uint64_t: 8, int64_t: 8};

function readHeader(file) {
  const header = fs.readFileSync(file, 'utf8'), end = header.indexOf('#endif /* WEBNN_H');
  if (end < 0) disagree(file, 'the end of the interface, "#endif /* WEBNN_H", is not found');
  const rows = [...header.matchAll(/^ {2}X\((\w+), +(\w+), +"(\w+)", +"[\d.]+"/gm)]; // of WEBNN_OPERATORS, which have sections
  const constants = Object.fromEntries([...header.matchAll(/^#define (WEBNN_MAX_\w+) (\d+)/gm)].map(m => [m[1], +m[2]]));
  const dynamic = Number(header.match(/^#define WEBNN_DYNAMIC_DIMENSION (0x\w+?)u$/m)?.[1] ?? disagree(file, 'WEBNN_DYNAMIC_DIMENSION is not found'));
  const c = header.slice(0, end).replace(/\/\*[^]*?\*\//g, '').replace(/#ifdef __cplusplus[^]*?#(?:endif|else)/g, '')
    .replace(/ WEBNN__DEFAULT\b/g, '').replace(/^\s*WEBNN__FROM_BRACES\(.*\)$/gm, '') + readBackend(file, header);
  const enums = readEnums(c);
  return {rows, enums, structs: readStructs(c, enums, constants), functions: readFunctions(c, readNotes(header.slice(0, end))), dynamic,
    backend: {version: BACKEND_VERSION, signatures: readSignatures(c)}};
}
function readEnums(c) {
  const enums = {};
  for (const [, body, name] of c.matchAll(/typedef enum \w+ \{([^}]*)\} (\w+);/g)) {
    let next = 0;
    enums[name] = {};
    for (const item of body.split(',').map(s => s.trim()).filter(Boolean)) {
      const [key, value] = item.split('=').map(s => s.trim());
      enums[name][key] = next = value === undefined ? next : +value;
      next++;
    }
  }
  return enums;
}
function readStructs(c, enums, constants) {
  const structs = {}, pointers = new Set([...c.matchAll(/typedef [^;{]*?\(\*(\w+)\)\(/g)].map(m => m[1]));
  const sizeAndAlignment = (type, isPointer) => isPointer || pointers.has(type) || enums[type] ? [4, 4]
    : SCALARS[type] ? [SCALARS[type], SCALARS[type]]
    : structs[type] ? [structs[type].size, structs[type].align] : null;
  const roundUp = (n, align) => Math.ceil(n / align) * align;
  const addMember = (name, s, type, declarator) => {
    const [, stars, member, count] = declarator.match(/^([* ]*(?:const )?\**)(\w+)(?:\[(\w+)\])?$/) ?? disagree(`${name}: ${type} ${declarator}`, 'is not understood');
    const n = count === undefined ? 1 : constants[count] ?? (+count || disagree(`${name}.${member}`, `how much is ${count}?`)), isPointer = stars.includes('*');
    const [size, align] = sizeAndAlignment(type, isPointer) ?? disagree(`${name}.${member}`, `how large is ${type}?`);
    s.size = roundUp(s.size, align);
    s.members[member] = [s.size, isPointer ? type + ' *' : type, n];
    s.size += size * n;
    s.align = Math.max(s.align, align);
  };
  for (const [, body, name] of c.matchAll(/typedef struct \w+ \{([^}]*)\} (\w+);/g)) {
    const s = structs[name] = {size: 0, align: 1, members: {}};
    for (const line of body.split(';').map(t => t.replace(/\s+/g, ' ').trim()).filter(Boolean)) {
      const call = line.match(/\(\*(\w+)\)/), [, type, names] = call ? [0, 'void', '*' + call[1]] : line.match(/^(?:const )?(\w+) (.*)$/);
      for (const declarator of names.split(',')) addMember(name, s, type, declarator.trim());
    }
    s.size = roundUp(s.size, s.align);
  }
  return structs;
}
function readFunctions(c, notes) {
  const functions = {}, typeOf = parameter => {
    const [, type, stars] = parameter.match(/^(?:const )?(\w+) ?(\*? ?(?:const )?\**)\w*(?:\[\])?$/) ?? [0, parameter, ''];
    return type + (stars.includes('*') ? ' ' + stars.replace(/[^*]/g, '') : '');
  };
  for (const [, returns, name, list] of c.matchAll(/^WEBNN_API ([\w *\n]+?)(webnn_\w+)\(([^;]*)\);/gm)) {
    functions[name] = {
      names: list.split(',').map(p => p.match(/\w+(?=(?:\[\])?\s*$)/)?.[0]),
      note: notes[name],
      returns: returns.replace(/\bconst\b/g, '').replace(/\s+/g, ' ').trim(),
      parameters: list.replace(/\s+/g, ' ').split(',').map(p => p.trim()).filter(p => p !== 'void').map(typeOf),
    };
  }
  return functions;
}
// Of the functions of a backend: i for a parameter or result of 32 bits, l for one of 64.
const readSignatures = c => Object.fromEntries([...c.slice(c.indexOf('typedef struct webnn_backend {')).matchAll(/(\w+) \(\*(\w+)\)\(([^)]*)\);/g)]
  .map(([, returns, name, list]) => [name, list.split(',').map(p => /^\s*uint64_t \w+$/.test(p) ? 'l' : 'i').join('') + '>' + (returns === 'void' ? '' : 'i')]));

// The comment before a function, or before the first of its group.
function readNotes(text) {
  const notes = {};
  for (const [, note, group] of text.matchAll(/^\/\*((?:[^*]|\*(?!\/))*)\*\/\n((?:WEBNN_API [^;]*;\s*)+)/gm)) {
    for (const [, name] of group.matchAll(/\b(webnn_\w+)\(/g)) notes[name] = note.replace(/\s+/g, ' ').trim();
  }
  return notes;
}

// What a backend is to webnn.h, as far as the binding fills it: a struct beyond the interface, with a version.
const BACKEND_VERSION = 4;
function readBackend(file, header) {
  const version = header.match(/^#define WEBNN__BACKEND_VERSION (\d+)/m)?.[1];
  if (+version !== BACKEND_VERSION) disagree(file, `WEBNN__BACKEND_VERSION is ${version}, and binding.js is written for ${BACKEND_VERSION}`);
  const struct = name => header.match(new RegExp(`^(?:typedef )?struct ${name} \\{([^}]*)\\}`, 'm'))?.[1] ?? disagree(file, `struct ${name} is not found`);
  return ['webnn__device_limits', 'webnn_backend'].map(name => `\ntypedef struct ${name} {${struct(name).replace(/\/\*[^]*?\*\//g, '')}} ${name};`).join('');
}

// ---- Web IDL: types as lists, partial definitions put together ---------------------------------------------------

function readIdl(webidl2, file) {
  const definitions = webidl2.parse(fs.readFileSync(file, 'utf8')), typedefs = {}, idl = {enums: {}, dictionaries: {}, interfaces: {}};
  const typeOf = (t, attributes = []) => {
    if (t.union) return t.idlType.some(x => x.idlType === 'bigint') ? ['MLNumber'] : ['union', ...t.idlType.map(x => typeOf(x))];
    if (t.generic) return [t.generic === 'FrozenArray' ? 'sequence' : t.generic, typeOf(t.idlType.at(-1))];
    if (typedefs[t.idlType]) return typeOf(typedefs[t.idlType]);
    return [...t.extAttrs, ...attributes].some(a => a.name === 'EnforceRange') ? [t.idlType, 'EnforceRange'] : [t.idlType];
  };
  for (const d of definitions) {
    if (d.type === 'typedef') typedefs[d.name] = d.idlType;
    if (d.type === 'enum') idl.enums[d.name] = d.values.map(v => v.value);
  }
  for (const d of definitions) {
    if (d.type === 'dictionary') addDictionary(idl.dictionaries[d.name] ??= {members: []}, d, typeOf);
    else if (d.type === 'interface') addInterface(idl.interfaces[d.name] ??= {operations: {}, attributes: []}, d, typeOf);
  }
  return idl;
}
function addDictionary(to, d, typeOf) {
  if (d.inheritance) to.base = d.inheritance;
  for (const m of d.members) {
    const value = m.default && (m.default.type === 'number' ? +m.default.value : m.default.value);
    to.members.push({name: m.name, type: typeOf(m.idlType, m.extAttrs), required: m.required || undefined, default: m.default ? value : undefined});
  }
}
function addInterface(to, d, typeOf) {
  const argument = a => ({name: a.name, type: typeOf(a.idlType, a.extAttrs), optional: a.optional || undefined});
  for (const m of d.members) {
    if (m.type === 'constructor') to.constructorArguments = m.arguments.map(argument);
    else if (m.type === 'attribute') to.attributes.push({name: m.name, type: typeOf(m.idlType)});
    else (to.operations[m.name] ??= []).push({arguments: m.arguments.map(argument), returns: typeOf(m.idlType)});
  }
}

// ---- The two together --------------------------------------------------------------------------------------------

// Members whose default is true have an opposite in C, where all defaults are zero.
const OPPOSITES = {resetAfter: 'reset_before', upper: 'lower', accelerated: 'not_accelerated'};
// Data types that opSupportLimits names and the IDL's enumeration does not have yet.
const MORE_DATA_TYPES = ['int4', 'uint4'];
// What is not an operator, in MLGraphBuilder.
const OWN_OPERATIONS = ['input', 'constant', 'build'];

function join(c, idl) {
  const table = {enums: {}, dictionaries: idl.dictionaries, interfaces: idl.interfaces, operators: {}, operatorNames: c.rows.map(r => r[3]), structs: {}, functions: c.functions, more: {}, dynamic: c.dynamic, backend: c.backend};
  joinEnum(table, c, idl, 'MLOperandDataType', 'webnn_data_type');
  for (const name of ['MLPowerPreference', 'MLInputOperandLayout']) joinEnum(table, c, idl, name, cTypeOf(name));
  for (const [name, d] of Object.entries(idl.dictionaries)) if (name.endsWith('Options')) joinOptions(table, c, idl, name, d);
  const cNames = Object.fromEntries(c.rows.map(([, , cName, name]) => [name, cName]));
  for (const [name, [operation]] of Object.entries(idl.interfaces.MLGraphBuilder.operations)) {
    if (!OWN_OPERATIONS.includes(name)) table.operators[name] = joinOperator(c, idl, name, operation, cNames[name]);
  }
  table.more = moreOperators(c, idl, new Set(Object.values(table.operators).map(o => o.c)));
  for (const name of table.operatorNames) if (!table.operators[name]) disagree(name, 'the IDL has no such operator');
  for (const [name, s] of Object.entries(c.structs)) table.structs[name] = {size: s.size, members: s.members};
  return table;
}
const cTypeOf = name => 'webnn_' + snake(name.slice('ML'.length));
function joinEnum(table, c, idl, name, cType) {
  if (table.enums[name]) return;
  const inC = Object.entries(c.enums[cType] ?? disagree(name, `C has no ${cType}`)), values = idl.enums[name].concat(name === 'MLOperandDataType' ? MORE_DATA_TYPES : []);
  table.enums[name] = Object.fromEntries(values.map(v => {
    const found = inC.find(([k]) => k.endsWith('_' + v.toUpperCase().replace(/-/g, '_')));
    return [v, found ? found[1] : disagree(`${name}.${v}`, `${cType} lacks it`)];
  }));
}
function joinOptions(table, c, idl, name, d) {
  const s = c.structs[cTypeOf(name)];
  if (!s) return;
  d.size = s.size;
  for (const m of d.members) {
    const [offset, cType] = s.members[OPPOSITES[m.name] ?? snake(m.name)] ?? disagree(`${name}.${m.name}`, `${cTypeOf(name)} lacks it`), [type, item] = m.type;
    if (idl.enums[type]) joinEnum(table, c, idl, type, cType);
    if (type === 'sequence' && idl.enums[item[0]]) joinEnum(table, c, idl, item[0], cTypeOf(item[0]));
    Object.assign(m, {offset, c: cType, opposite: OPPOSITES[m.name] ? true : undefined});
  }
}
function joinOperator(c, idl, name, operation, cName) {
  const f = 'webnn_' + (cName ?? disagree(name, 'webnn.h has no such operator'));
  const parameters = (c.functions[f] ?? disagree(name, `${f} is not declared`)).parameters.slice(1), outputs = parameters.at(-1) === 'webnn_operand **';
  let k = 0;
  for (const a of operation.arguments) {
    if (a.type[0] === 'union') { a.many = f + '_sizes'; k++; } // a number, or an array and its length
    else if (a.type[0] === 'sequence' && a.type[1][0] === 'MLOperand') k += 2; // an array and its length
    else if (!agrees(c, idl, a.type, parameters[k++])) disagree(`${name}(${a.name})`, `${a.type} in the IDL, ${parameters[k - 1]} in C`);
  }
  if (k + outputs !== parameters.length) disagree(name, `${operation.arguments.length} arguments in the IDL, ${parameters.length} parameters in C`);
  return {c: f, outputs: outputs || undefined};
}
function agrees(c, idl, [type, item], parameter) {
  return type === 'MLOperand' ? parameter === 'webnn_operand *'
    : type === 'unsigned long' ? parameter === 'uint32_t'
    : type === 'sequence' && item[0] === 'unsigned long' ? parameter === 'webnn_list'
    : idl.enums[type] ? !!c.enums[parameter]
    : idl.dictionaries[type] ? parameter.endsWith('_options *') : false;
}

// Methods of a builder with options that C has beyond the IDL: those of drafts, and what is made of others.
function moreOperators(c, idl, known) {
  const more = {}, optionsOf = (f, cType) => Object.keys(idl.dictionaries).find(name => `${cTypeOf(name)} *` === cType) ?? disagree(f, `the IDL has nothing like ${cType}`);
  const typeOf = (f, name, p) => p === 'webnn_operand *' ? {type: ['MLOperand']}
    : p === 'webnn_list' ? {type: ['sequence', ['unsigned long', 'EnforceRange']], optional: true} // C says of which
    : p === 'uint32_t' ? {type: ['unsigned long', 'EnforceRange']}
    : p.endsWith('_options *') ? {type: [optionsOf(f, p)], optional: true} : disagree(`${f}(${name})`, `${p} is not understood`);
  for (const [f, {returns, parameters: all, names, note}] of Object.entries(c.functions)) {
    const outputs = all.at(-1) === 'webnn_operand **', isMethod = all[0] === 'webnn_builder *' && all.some(p => p.endsWith('_options *'));
    if (!isMethod || known.has(f) || known.has(f.replace(/_sizes$/, '')) || returns !== (outputs ? 'size_t' : 'webnn_operand *')) continue;
    more[camel(f.slice('webnn_'.length))] = {c: f, outputs: outputs || undefined, note,
      arguments: all.slice(1, outputs ? -1 : undefined).map((p, i) => ({name: camel(names[i + 1]), ...typeOf(f, names[i + 1], p)}))};
  }
  return more;
}

// ---- TypeScript --------------------------------------------------------------------------------------------------

// Types of the IDL as TypeScript has them. Sequences that the caller gives may be any iterable, as in Web IDL; those that the
// caller gets (`result`) are arrays.
const SIMPLE = {'unsigned long': 'number', 'unsigned long long': 'number', long: 'number', float: 'number', double: 'number', 'unrestricted double': 'number',
  boolean: 'boolean', USVString: 'string', DOMString: 'string', undefined: 'void', any: 'unknown', MLNumber: 'number | bigint', AllowSharedBufferSource: 'ArrayBufferView | ArrayBufferLike',
  ArrayBuffer: 'ArrayBuffer', GPUDevice: 'WebnnGPUDevice', GPUBuffer: 'WebnnGPUBuffer'};
function typescript([type, ...of], result) {
  if (type === 'sequence') return result ? `${typescript(of[0], result)}[]` : `Iterable<${typescript(of[0])}>`;
  if (type === 'record') return `Record<string, ${typescript(of[0], result)}>`;
  if (type === 'Promise') return `Promise<${typescript(of[0], result)}>`;
  return type === 'union' ? of.map(x => typescript(x, result)).join(' | ') : SIMPLE[type] ?? type;
}
const parameters = args => args.map(a => `${a.name}${a.optional ? '?' : ''}: ${typescript(a.type)}`).join(', ');
function resultDictionaries(table) { // the names of those that calls return
  const results = new Set(), add = type => type.forEach(x => {
    if (Array.isArray(x)) add(x);
    else if (table.dictionaries[x] && !results.has(x)) { results.add(x); table.dictionaries[x].members.forEach(m => add(m.type)); }
  });
  for (const d of Object.values(table.interfaces)) {
    d.attributes.forEach(a => add(a.type));
    Object.values(d.operations).flat().forEach(o => add(o.returns));
  }
  return results;
}
const CONTEXT_OPTIONS = [ // of this implementation
  `  /** Of this implementation: 'reference' is exact, 'relaxed' may be less so. */`, `  numerics?: 'fast' | 'reference' | 'relaxed';`,
  '  /** Where graphs are built and run: in a worker of the binding, if one can be made, or on the calling thread. */', `  thread?: 'worker' | 'calling';`,
  '  /** How many threads run a graph in the worker; 0: as many as pay. One where memory cannot be shared, and on the calling thread. */', `  threads?: number;`];
const declareDictionary = (name, d, exported, result) => [`${exported}interface ${name}${d.base ? ` extends ${d.base}` : ''} {`,
  ...d.members.map(m => `  ${m.name}${m.required ? '' : '?'}: ${typescript(m.type, result)};`), ...name === 'MLContextOptions' ? CONTEXT_OPTIONS : [], '}'];
// Frozen arrays of attributes cannot be written to. The tag of an interface keeps an MLTensor, which has destroy() like an
// MLGraph, from being taken for one.
const declareInterface = (name, d, declared) => [`${declared} class ${name} {`,
  d.constructorArguments ? `  constructor(${parameters(d.constructorArguments)});` : '  private constructor();', `  readonly [Symbol.toStringTag]: '${name}';`,
  ...d.attributes.map(a => `  readonly ${a.name}: ${a.type[0] === 'sequence' ? 'readonly ' : ''}${typescript(a.type, true)};`),
  ...Object.entries(d.operations).flatMap(([operation, overloads]) => overloads.map(o => `  ${operation}(${parameters(o.arguments)}): ${typescript(o.returns, true)};`)), '}'];
function declareExtensions(table) { // extensions.d.ts with the operators that the IDL lacks
  const wrapped = note => note.match(/.{1,120}(?: |$)/g).map(line => line.trim()).join('\n   * ');
  const more = Object.entries(table.more).map(([name, o]) => `${o.note ? `  /** ${wrapped(o.note)} */\n` : ''}  ${name}(builder: MLGraphBuilder, ${parameters(o.arguments)}): MLOperand${o.outputs ? '[]' : ''};\n`).join('');
  return fs.readFileSync(new URL('extensions.d.ts', import.meta.url), 'utf8').trimEnd().replace('  // OPERATORS\n', () => more);
}
// Declarations of the module, or with `global` of the script.
function declarations(table, {global}) {
  const exported = global ? '' : 'export ', declared = global ? 'declare' : 'export', results = resultDictionaries(table), extensions = declareExtensions(table);
  const lines = ['// Made by generate.mjs from the Web IDL of the Web Neural Network API, for TypeScript.', ...global
    ? ['// What the script webnn.js makes global. A program whose DOM library knows navigator.ml takes the types of webnn.d.mts instead.'] : []];
  for (const name of ['GPUDevice', 'GPUBuffer']) lines.push(`type Webnn${name} = typeof globalThis extends {${name}: {prototype: infer Known}} ? Known : never;`);
  for (const [name, values] of Object.entries(table.enums)) lines.push(`${exported}type ${name} = ${Object.keys(values).map(v => `'${v}'`).join(' | ')};`);
  for (const [name, d] of Object.entries(table.dictionaries)) lines.push(...declareDictionary(name, d, exported, results.has(name)));
  for (const [name, d] of Object.entries(table.interfaces)) lines.push(...declareInterface(name, d, declared));
  lines.push(global ? extensions.replace(/^export /gm, '') : extensions, `${exported}interface WebnnInterfaces { ${Object.keys(table.interfaces).map(name => `${name}: typeof ${name};`).join(' ')} }`);
  if (global) lines.push('interface Navigator { readonly ml: ML; }', 'interface WorkerNavigator { readonly ml: ML; }', 'declare const webnn: Webnn;');
  else for (const name of ['ml', 'interfaces', 'extensions', 'install', 'configure']) lines.push(`export const ${name}: Webnn['${name}'];`);
  return lines.join('\n') + '\n';
}

// ---- The binding in one file --------------------------------------------------------------------------------------

function bundle(table) {
  const binding = fs.readFileSync(new URL('binding.js', import.meta.url), 'utf8');
  const used = Object.fromEntries(Object.entries(table.structs).filter(([name]) => new RegExp(`\\b${name}\\b`).test(binding)));
  const {functions, ...rest} = {...table, more: Object.fromEntries(Object.entries(table.more).map(([name, {note, ...o}]) => [name, o]))}; // for bindings that have to declare them
  return `${binding}\nconst table = ${JSON.stringify({...rest, structs: used})};\n`;
}
const SCRIPT = `const base = typeof document !== 'undefined' && document.currentScript ? document.currentScript.src : self.location.href;
let wasm, threadsWasm;
const load = file => fetch(new URL(file, base)), given = () => wasm ?? self.webnnWasm;
const webnn = webnnBinding(table, {wasm: () => given() ?? load('webnn.wasm'), threads: () => threadsWasm ?? (given() ? undefined : load('webnn-threads.wasm'))});
webnn.configure = options => { ({wasm, threadsWasm} = options); };
self.webnn = webnn;
webnn.install(self, {replace: typeof document !== 'undefined' && !!document.currentScript?.hasAttribute('data-replace')});
`;
const MODULE = names => `let wasm, threadsWasm;
function load(file) {
  const url = new URL(file, import.meta.url);
  return url.protocol === 'file:' && globalThis.process ? import('node:fs/promises').then(fs => fs.readFile(url)) : fetch(url);
}
/** Where the modules come from, before the first createContext: bytes, a Response, a WebAssembly.Module, or a promise of one. */
export const configure = options => { ({wasm, threadsWasm} = options); };
export const {ml, interfaces, extensions, install} = webnnBinding(table, {wasm: () => wasm ?? load('webnn.wasm'),
  threads: () => threadsWasm ?? (wasm ? undefined : load('webnn-threads.wasm'))});
export const {${names.join(', ')}} = interfaces;
`;

const loaded = createRequire(import.meta.url)(path.resolve(webidl2Path));
const idl = readIdl(loaded.parse ? loaded : loaded.WebIDL2, idlPath);
const table = join(readHeader(headerPath), idl);
const files = {
  'table.json': JSON.stringify(table),
  'webnn.d.mts': declarations(table, {global: false}),
  'webnn.d.ts': declarations(table, {global: true}),
  'webnn.js': `(function () {\n${bundle(table)}${SCRIPT}})();\n`,
  'webnn.mjs': '// @ts-self-types="./webnn.d.mts"\n' + bundle(table) + MODULE(Object.keys(table.interfaces).filter(n => n.startsWith('ML'))),
};
fs.mkdirSync(folder, {recursive: true});
for (const [name, contents] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), contents);
console.log(`${Object.keys(table.operators).length} operators, ${Object.keys(table.functions).length} functions, ${Object.keys(table.structs).length} structs`);
