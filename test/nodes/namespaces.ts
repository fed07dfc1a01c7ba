/** Namespaces of machines in tests: a network, and a name of the machine. Mounts and processes are seen by all. */
import { randomUUID } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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
  execFileSync('ip', ['netns', 'add', name]);
  if (hostname === undefined) return;
  writeFileSync(utsFile(name), '');
  execFileSync('unshare', [`--uts=${utsFile(name)}`, 'hostname', hostname]);
}

export function removeNamespaces(name: string): void {
  spawnSync('ip', ['netns', 'delete', name]);
  if (!existsSync(utsFile(name))) return;
  spawnSync('umount', [utsFile(name)]);
  rmSync(utsFile(name), { force: true });
}

const utsFile = (name: string): string => path.join(tmpdir(), `${name}.uts`);
