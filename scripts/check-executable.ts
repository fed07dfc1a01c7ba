/**
 * Uses `dist/executable/coxswain` (`npm run build-executable` makes it) where nothing else is: as coxswain, under the names of
 * other programs, in the background and on disk. Throws, or ends with a line that says that all is well.
 */

import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expectMatch, run as runProgram } from './installed/run.ts';

const bytesMax = 120_000_000;

const ending = process.platform === 'win32' ? '.exe' : '';
const built = path.join(import.meta.dirname, `../dist/executable/coxswain${ending}`);
const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-executable-'));
const elsewhere = path.join(directory, 'bin');
const data = path.join(directory, 'data');
/** An environment without Node and without the user's files. */
const env = {
  PATH: elsewhere,
  HOME: directory,
  LOCALAPPDATA: directory,
  XDG_CACHE_HOME: '',
  XDG_DATA_HOME: '',
};

try {
  const { size } = statSync(built);
  if (process.platform === 'linux' && size > bytesMax) throw new Error(`the executable has ${size} bytes`);
  mkdirSync(elsewhere);
  cpSync(built, named('coxswain'));
  for (const name of ['kubectl', 'kube-apiserver', 'etcd']) link(name);

  expectMatch(run('coxswain', 'version'), /^coxswain \d+\.\d+\.\d+ \(Kubernetes v1\.36/);
  expectMatch(run('kubectl', 'version', '--client'), /Client Version: v1\.36/);
  expectMatch(run('kube-apiserver', '--help'), /--etcd-servers/);
  expectMatch(run('etcd', '--version'), /^etcd Version: 3\./);
  checkNodeIsNamed();
  const banner = run('coxswain', 'up', '--detach', '--port=0', `--data-dir=${data}`);
  try {
    const seconds = Number(/Ready in ([\d.]+) s/.exec(banner)?.[1]);
    const kubectl = (...args: string[]): string =>
      run('kubectl', `--kubeconfig=${path.join(data, 'kubeconfig')}`, ...args);
    kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=2');
    expectMatch(kubectl('rollout', 'status', 'deployment/web', '--timeout=60s'), /successfully rolled out/);
    expectMatch(run('coxswain', 'status'), /\(ready\)/);
    const [page = ''] = /http:\S+/.exec(banner) ?? [];
    expectMatch(await (await fetch(page)).text(), /<title>/);
    console.log(`the executable (${(size / 1e6).toFixed(1)} MB) runs alone, and is ready in ${seconds} s`);
  } finally {
    expectMatch(run('coxswain', 'down'), /^Stopped /);
  }
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}

/** In what the executable has unpacked, which says what it is made of. */
function checkNodeIsNamed(): void {
  const [file] = globSync('{.cache/,}coxswain/*/sbom.cdx.json', { cwd: directory });
  if (file === undefined) throw new Error('the executable has unpacked no SBOM');
  expectMatch(readFileSync(path.join(directory, file), 'utf8'), /pkg:generic\/node@\d/);
}

function named(name: string): string {
  return path.join(elsewhere, `${name}${ending}`);
}

function run(name: string, ...args: readonly string[]): string {
  return runProgram(directory, named(name), args, env);
}

/** On Windows, only administrators may create symbolic links. */
function link(name: string): void {
  if (process.platform === 'win32') cpSync(built, named(name));
  else symlinkSync(named('coxswain'), named(name));
}
