/** Where an all-in-one keeps what it keeps. */

import { existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface DataDirectory {
  readonly folder: string;
  readonly certificates: string;
  readonly storage: string;
  readonly kubeconfig: string;
  /** Removes what an in-memory cluster leaves on disk; leaves everything else alone. */
  dispose(): Promise<void>;
}

/** `$XDG_DATA_HOME/coxswain`, or `~/.local/share/coxswain`. */
export const defaultDataFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(env['XDG_DATA_HOME'] ?? path.join(env['HOME'] ?? os.homedir(), '.local', 'share'), 'coxswain');

/** Makes the directory, for its owner alone. @throws Error with one clear line when that cannot be done. */
export async function openDataDirectory(folder: string): Promise<DataDirectory> {
  const whole = path.resolve(folder);
  try {
    await makeFolder(whole);
    await access(whole, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`cannot use ${whole} as data directory: ${code ?? String(cause)}`, { cause });
  }
  if (!(await stat(whole)).isDirectory())
    throw new Error(`cannot use ${whole} as data directory: it is a file`);
  return { ...pathsIn(whole), dispose: async () => {} };
}

/** Level by level: Node's own recursion never ends in file systems that deny what they contain, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(path.dirname(folder));
  await mkdir(folder, { mode: 0o700 });
}

/** A directory for keys and the kubeconfig that goes when the cluster stops. */
export async function temporaryDataDirectory(): Promise<DataDirectory> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'coxswain-'));
  return { ...pathsIn(folder), dispose: () => rm(folder, { recursive: true, force: true }) };
}

export const kubeconfigIn = (folder: string): string => path.join(folder, 'kubeconfig');

const pathsIn = (folder: string) => ({
  folder,
  certificates: path.join(folder, 'pki'),
  storage: path.join(folder, 'storage'),
  kubeconfig: kubeconfigIn(folder),
});
