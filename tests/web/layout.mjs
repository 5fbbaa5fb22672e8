// node layout.mjs TABLE.json: a C file that compiles for wasm32 if every struct and member lies where the table says.
import fs from 'node:fs';
const {structs} = JSON.parse(fs.readFileSync(process.argv[2]));
console.log('#define WEBNN_IMPLEMENTATION\n#include "webnn.h"'); // with the struct of backends
for (const [name, s] of Object.entries(structs)) {
  console.log(`_Static_assert(sizeof(${name}) == ${s.size}, "${name}");`);
  for (const [member, [at]] of Object.entries(s.members)) console.log(`_Static_assert(offsetof(${name}, ${member}) == ${at}, "${name}.${member}");`);
}
