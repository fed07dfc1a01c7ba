import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Durability } from './durability.ts';

/** The files of a data directory, besides the lock. */
export const dataFileOf = (directory: string): string => join(directory, 'data.mdb');

/** What the other files must contain, see `superblock.ts`. */
export const superblockFileOf = (directory: string): string => join(directory, 'superblock');

/** A file that is being written and will replace the data file when it is complete. */
export const nextFileOf = (directory: string): string => join(directory, 'data.mdb.next');

/** Removes what a process that was killed while writing left behind. */
export function removeNextFile(directory: string): void {
  for (const end of ['', '-lock']) rmSync(`${nextFileOf(directory)}${end}`, { force: true });
}

/** Replaces the data file by the next file atomically, even after a power failure. */
export function putNextFileInPlace(directory: string, durability: Durability = 'sync'): void {
  if (durability === 'sync') syncPath(nextFileOf(directory));
  renameSync(nextFileOf(directory), dataFileOf(directory));
  if (durability === 'sync') syncPath(dirname(dataFileOf(directory)));
}

/** For a directory: syncs the names in it. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
