/** The directory in which an all-in-one keeps its state. */

import { accessSync, chmodSync, constants, lstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lockDirectory, reportHolder } from '@coxswain/storage/directory/directory-lock.ts';
import {
  keepPrivate,
  makePrivateDirectory,
  privateDirectoryMode,
  systemReason,
} from '@coxswain/storage/directory/private-files.ts';

export interface DataDirectory {
  readonly root: string;
  readonly certificates: string;
  readonly storage: string;
  readonly kubeconfig: string;
  /** Records the server's URL for processes that find the directory in use. */
  servesAt(url: string): void;
  /** Releases the directory; that of a cluster in memory is removed. */
  close(): void;
}

/** `$XDG_DATA_HOME/coxswain`, or `~/.local/share/coxswain`. */
export function defaultDataDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_DATA_HOME: given = '' } = env;
  // By the XDG specification, relative paths are ignored.
  if (path.isAbsolute(given)) return path.join(given, 'coxswain');
  return path.join(env['HOME'] || os.homedir(), '.local', 'share', 'coxswain');
}

/**
 * The directory of what a user's clusters share, their list and the log of those in memory: the default data directory or,
 * if it cannot be written, as in a container that runs as any user, a temporary directory of this user. It is created.
 * @throws Error with one clear line if neither is possible
 */
export function createSharedDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const temporary = temporarySharedDirectory();
  const directory =
    temporary === undefined || canCreate(defaultDataDirectory(env)) ? defaultDataDirectory(env) : temporary;
  makeWritable(directory);
  if (directory === temporary && !isOwn(directory))
    throw new Error(`cannot use ${directory} as the data directory: others can write there`);
  return directory;
}

/** The same directory, if it exists and nobody else can have written to a temporary one. */
export function findSharedDirectory(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const usual = defaultDataDirectory(env);
  const temporary = temporarySharedDirectory();
  if (temporary === undefined || canCreate(usual)) return usual;
  return isOwn(temporary) ? temporary : undefined;
}

/** Undefined on Windows, where every user has a home. */
function temporarySharedDirectory(): string | undefined {
  const uid = process.getuid?.();
  return uid === undefined ? undefined : path.join(os.tmpdir(), `coxswain-user-${uid}`);
}

/** Not of what a link leads to, since anybody can create links in a temporary directory. */
function isOwn(directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

/** Whether it is, or its first parent that exists is, a directory that can be written. */
function canCreate(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return statSync(directory).isDirectory();
  } catch (failure) {
    const isMissing = (failure as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && path.dirname(directory) !== directory && canCreate(path.dirname(directory));
  }
}

/**
 * Creates the directory, readable only by its owner, and locks it against other starts.
 * @throws Error with one clear line if that is impossible
 */
export function openDataDirectory(directory: string): DataDirectory {
  const whole = path.resolve(directory);
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
export function makeWritable(directory: string): void {
  try {
    makePrivateDirectory(directory);
    if (!statSync(directory).isDirectory()) throw new Error('not a directory');
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(
      `cannot use ${directory} as the data directory: ${systemReason(cause)} (--data-dir selects another)`,
      {
        cause,
      },
    );
  }
}

/** A directory for keys and the kubeconfig that is removed when the cluster stops or the process ends. */
export function temporaryDataDirectory(): DataDirectory {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-'));
  chmodSync(directory, privateDirectoryMode);
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const close = (): void => {
    process.off('exit', remove);
    remove();
  };
  return { ...pathsIn(directory), servesAt: () => undefined, close };
}

export const kubeconfigIn = (directory: string): string => path.join(directory, 'kubeconfig');

const pathsIn = (directory: string) => ({
  root: directory,
  certificates: path.join(directory, 'pki'),
  storage: path.join(directory, 'storage'),
  kubeconfig: kubeconfigIn(directory),
});
