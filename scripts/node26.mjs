// Runs a script on the pinned Node, whichever Node (20.19 or newer) started this one.

import { spawn } from 'node:child_process';
import process from 'node:process';
import { pinnedNode } from '../packages/coxswain/bin/node.mjs';

const [script, ...args] = process.argv.slice(2);
let node;
try {
  node = pinnedNode();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const child = spawn(node, [script, ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
