// Runs a script on the pinned Node, whichever Node (20.19 or newer) started this one. What that Node and its threads and
// children compile is kept for the next ones: compiling the sources takes seconds of each thread of a server otherwise.

import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from '../packages/coxswain/bin/node.mjs';

const [script, ...args] = process.argv.slice(2);
let node;
try {
  node = pinnedNode();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
const env = { NODE_COMPILE_CACHE: compiled, ...process.env };
const child = spawn(node, [script, ...args], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
