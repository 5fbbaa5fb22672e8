// node wpt_all.mjs ROOT BUILD NUMERICS[,THREAD] [ONLY]: every file of ROOT/webnn in Node (or Deno, or Bun), two processes at a time, the variants for
// the CPU, without idlharness, which wants a Window or a Worker as global object. A subtest that fails and is not in
// known_failures.txt is a failure, and so is one that is there and passes.
import fs from 'node:fs';
import path from 'node:path';
import {execFile} from 'node:child_process';
import {files, judge} from './wpt.mjs';

const [, , root, build, numerics = 'fast', only = ''] = process.argv;
const script = new URL('wpt_file.mjs', import.meta.url).pathname;
const runOne = ({file, variant}) => new Promise(resolve => {
  execFile(process.execPath, [...globalThis.Deno ? ['run', '-A'] : [], script, root, file, variant, build, numerics], {encoding: 'utf8', maxBuffer: 1 << 28, timeout: 180000}, (error, stdout, stderr) => {
    try { resolve({file, variant, ...JSON.parse(stdout)}); } catch { resolve({file, variant, status: 9, message: String(stderr || error).slice(-400), tests: []}); }
  });
});
const queue = files(root, only).filter(({file}) => !file.includes('idlharness')), results = [];
await Promise.all([0, 1].map(async () => { while (queue.length) results.push(await runOne(queue.shift())); }));
process.exit(judge(`${globalThis.Deno ? `Deno ${Deno.version.deno}` : globalThis.Bun ? `Bun ${Bun.version}` : `Node ${process.version}`}, ${numerics}`, results, only));
