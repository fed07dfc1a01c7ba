import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { StorageError } from '../storage.ts';
import { lockFile } from './file-lock.ts';
import { privateFileMode, writePrivateFile } from './private-files.ts';
import type { Held, Lock } from './lock.ts';

const busy = 5;

/** Whether Node has SQLite without a warning that it is experimental. */
const hasDatabases = Number.parseInt(process.versions.node, 10) >= 24;

/**
 * Locks a data directory against other processes (and other stores of this one). Node has no file locks of its own;
 * SQLite's are the kernel's, so that a killed process leaves none behind. Takes about 1 ms. Older versions of Node have
 * no SQLite and lock differently: they and newer ones do not see each other's locks.
 * @throws StorageError 'locked' with the holder, if known; 'unavailable' if the directory isn't writable
 */
export function lockDirectory(directory: string): Held {
  let held: Held | undefined;
  try {
    const path = join(directory, 'lock');
    // SQLite would create it, and its journal, with the umask's permissions.
    closeSync(openSync(path, 'a', privateFileMode));
    held = hasDatabases ? lockDatabase(path) : lockFile(path);
    if (held !== undefined) reportHolder(directory);
  } catch (cause) {
    held?.release();
    throw new StorageError(
      'unavailable',
      `cannot write to data directory ${directory}: ${messageOf(cause)}`,
      { cause },
    );
  }
  if (held === undefined)
    throw new StorageError('locked', `data directory ${directory} is in use by ${holderOf(directory)}`);
  const lock = held;
  return {
    release() {
      rmSync(holderFile(directory), { force: true });
      lock.release();
    },
  };
}

export const lockDatabase: Lock = (file) => {
  const sqlite = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(file, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    if ((cause as { errcode?: number }).errcode === busy) return undefined;
    throw cause;
  }
  const held = database;
  return { release: () => held.close() };
};

/** The process that holds the lock, for those that find it taken. */
interface Holder {
  readonly pid: number;
  readonly url?: string;
}

const holderFile = (directory: string): string => join(directory, 'holder.json');

/**
 * Must be called by the process that holds the lock. @param url where it serves the directory's content, once it does
 */
export function reportHolder(directory: string, url?: string): void {
  const holder: Holder = { pid: process.pid, ...(url !== undefined && { url }) };
  writePrivateFile(holderFile(directory), `${JSON.stringify(holder)}\n`);
}

/** `process 1234, which serves https://127.0.0.1:6443` */
function holderOf(directory: string): string {
  try {
    const { pid, url } = JSON.parse(readFileSync(holderFile(directory), 'utf8')) as Holder;
    // A killed process leaves its name behind; throws if the process doesn't exist any more.
    if (pid !== process.pid) process.kill(pid, 0);
    return `process ${pid}${url === undefined ? '' : `, which serves ${url}`}`;
  } catch {
    return 'another process';
  }
}
