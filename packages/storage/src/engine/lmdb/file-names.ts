import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Durability } from './durability.ts';

/** What is in a data directory, besides the lock. */
export const dataFileOf = (directory: string): string => join(directory, 'data.mdb');

/** What must be in the others, see `superblock.ts`. */
export const superblockFileOf = (directory: string): string => join(directory, 'superblock');

/** A file that is being written and will take the other's place when it is whole. */
export const nextFileOf = (directory: string): string => join(directory, 'data.mdb.next');

/** What a process that was ended in the middle of writing it left behind. */
export function removeNextFile(directory: string): void {
  for (const end of ['', '-lock']) rmSync(`${nextFileOf(directory)}${end}`, { force: true });
}

/** The next file takes the place of the data file, at once or not at all, also when power is lost. */
export function putNextFileInPlace(directory: string, durability: Durability = 'sync'): void {
  if (durability === 'sync') syncPath(nextFileOf(directory));
  renameSync(nextFileOf(directory), dataFileOf(directory));
  if (durability === 'sync') syncPath(dirname(dataFileOf(directory)));
}

/** Of a directory: the names in it. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
