// Runs a script on the pinned Node, whichever Node (20.19 or newer) started this one. What that Node and its threads and
// children compile is kept for the next ones: compiling the sources takes seconds of each thread of a server otherwise.

import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runOnPinnedNode } from '../packages/coxswain/bin/node.mjs';

const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
runOnPinnedNode(process.argv.slice(2), { NODE_COMPILE_CACHE: compiled, ...process.env });
