import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../../storage.ts';

const busy = 5;

/**
 * Keeps other processes (and other stores of this one) out of a data directory. Node has no file locks of its
 * own; SQLite's are the kernel's, so that a killed process leaves none behind. Takes about 1 ms.
 */
export function lockDirectory(directory: string): { release(): void } {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    if ((cause as { errcode?: number }).errcode === busy) {
      throw new StorageError('locked', `data directory ${directory} is in use by another process`, { cause });
    }
    throw new StorageError(
      'unavailable',
      `cannot write to data directory ${directory}: ${messageOf(cause)}`,
      { cause },
    );
  }
  const held = database;
  return { release: () => held.close() };
}

const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);
