/** The directory in which an all-in-one keeps its state. */

import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lockDirectory, reportHolder } from '@coxswain/storage/directory/directory-lock.ts';
import {
  keepPrivate,
  makePrivateFolder,
  privateFolderMode,
  systemReason,
} from '@coxswain/storage/directory/private-files.ts';

export interface DataDirectory {
  readonly folder: string;
  readonly certificates: string;
  readonly storage: string;
  readonly kubeconfig: string;
  /** Records the server's URL for processes that find the directory in use. */
  servesAt(url: string): void;
  /** Releases the directory; that of a cluster in memory is removed. */
  close(): void;
}

/** `$XDG_DATA_HOME/coxswain`, or `~/.local/share/coxswain`. */
export function defaultDataFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_DATA_HOME: given = '' } = env;
  // By the XDG specification, relative paths are ignored.
  if (path.isAbsolute(given)) return path.join(given, 'coxswain');
  return path.join(env['HOME'] || os.homedir(), '.local', 'share', 'coxswain');
}

/**
 * Creates the directory, readable only by its owner, and locks it against other starts.
 * @throws Error with one clear line if that is impossible
 */
export function openDataDirectory(folder: string): DataDirectory {
  const whole = path.resolve(folder);
  makeWritable(whole);
  keepPrivate(whole, ownEntries);
  const lock = lockDirectory(whole);
  return { ...pathsIn(whole), servesAt: (url) => reportHolder(whole, url), close: () => lock.release() };
}

const ownEntries =
  /^(pki|storage|running|kubelet|kubeconfig.*|coxswain\.log.*|lock(-journal)?|holder\.json)$/;

/**
 * Creates a directory and its parents, accessible only to the owner. @throws Error with one clear line if that is
 * impossible
 */
export function makeWritable(folder: string): void {
  try {
    makePrivateFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('not a directory');
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`cannot use ${folder} as the data directory: ${systemReason(cause)}`, { cause });
  }
}

/** A directory for keys and the kubeconfig that is removed when the cluster stops or the process ends. */
export function temporaryDataDirectory(): DataDirectory {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'coxswain-'));
  chmodSync(folder, privateFolderMode);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const close = (): void => {
    process.off('exit', remove);
    remove();
  };
  return { ...pathsIn(folder), servesAt: () => undefined, close };
}

export const kubeconfigIn = (folder: string): string => path.join(folder, 'kubeconfig');

const pathsIn = (folder: string) => ({
  folder,
  certificates: path.join(folder, 'pki'),
  storage: path.join(folder, 'storage'),
  kubeconfig: kubeconfigIn(folder),
});
