import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../storage.ts';
import { privateFileMode, writePrivateFile } from './private-files.ts';

const busy = 5;

/**
 * Keeps other processes (and other stores of this one) out of a data directory. Node has no file locks of its
 * own; SQLite's are the kernel's, so that a killed process leaves none behind. Takes about 1 ms.
 * @throws StorageError 'locked' with who has it, where that is known; 'unavailable' where it cannot be written
 */
export function lockDirectory(directory: string): { release(): void } {
  let database: DatabaseSync | undefined;
  try {
    const path = join(directory, 'lock');
    // SQLite would make it, and its journal after it, as the umask says.
    closeSync(openSync(path, 'a', privateFileMode));
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    tellHolder(directory);
  } catch (cause) {
    database?.close();
    if ((cause as { errcode?: number }).errcode === busy)
      throw new StorageError('locked', `data directory ${directory} is in use by ${holderOf(directory)}`, {
        cause,
      });
    throw new StorageError(
      'unavailable',
      `cannot write to data directory ${directory}: ${messageOf(cause)}`,
      { cause },
    );
  }
  const held = database;
  return {
    release() {
      rmSync(holderFile(directory), { force: true });
      held.close();
    },
  };
}

/** Of the process that has the lock, for those that find it taken. */
interface Holder {
  readonly pid: number;
  readonly url?: string;
}

const holderFile = (directory: string): string => join(directory, 'holder.json');

/** To be called by the process that has the lock. @param url where it serves what is in the directory, once it does */
export function tellHolder(directory: string, url?: string): void {
  const holder: Holder = { pid: process.pid, ...(url !== undefined && { url }) };
  writePrivateFile(holderFile(directory), `${JSON.stringify(holder)}\n`);
}

/** `process 1234, which serves https://127.0.0.1:6443` */
function holderOf(directory: string): string {
  try {
    const { pid, url } = JSON.parse(readFileSync(holderFile(directory), 'utf8')) as Holder;
    // One that was killed did not take its name away; throws where there is no such process any more.
    if (pid !== process.pid) process.kill(pid, 0);
    return `process ${pid}${url === undefined ? '' : `, which serves ${url}`}`;
  } catch {
    return 'another process';
  }
}

const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);
