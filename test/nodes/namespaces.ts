/** Namespaces of machines in tests: a network, and a name of the machine. Mounts and processes are seen by all. */
import { randomUUID } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Belongings } from './belongings.ts';

const belongings = new Belongings('namespaces');

/** Of a namespace or an interface, which other tests and other runs on this machine have, too. */
export const uniqueName = (): string => `cx${randomUUID().slice(0, 8)}`;

/** What a program is started with to be in them; nothing without a name. */
export const inNamespaces = (name: string | undefined): readonly string[] => {
  if (name === undefined) return [];
  const uts = utsFile(name);
  return ['nsenter', `--net=/run/netns/${name}`, ...(existsSync(uts) ? [`--uts=${uts}`] : [])];
};

/** @param hostname what programs in it take the machine to be called; that of this machine when absent */
export function addNamespaces(name: string, hostname?: string): void {
  belongings.add(name);
  execFileSync('ip', ['netns', 'add', name]);
  if (hostname === undefined) return;
  writeFileSync(utsFile(name), '');
  execFileSync('unshare', [`--uts=${utsFile(name)}`, 'hostname', hostname]);
}

export function removeNamespaces(name: string): void {
  spawnSync('ip', ['netns', 'delete', name]);
  if (existsSync(utsFile(name))) {
    spawnSync('umount', [utsFile(name)]);
    rmSync(utsFile(name), { force: true });
  }
  belongings.delete(name);
}

/** Those of runs that were killed, with the programs that go on in them. */
export function removeAbandonedNamespaces(): void {
  for (const [name] of belongings.takeAbandoned()) {
    const { stdout } = spawnSync('ip', ['netns', 'pids', name], { encoding: 'utf8' });
    killAll(stdout.split('\n').map(Number));
    removeNamespaces(name);
  }
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids.filter((each) => each > 0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

const utsFile = (name: string): string => path.join(tmpdir(), `${name}.uts`);
