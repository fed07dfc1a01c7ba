import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StorageError } from '../../storage.ts';

/** With its parents, where it is not there. @throws StorageError 'unavailable' */
export function makeDirectory(directory: string): void {
  try {
    makeLevel(resolve(directory));
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new StorageError('unavailable', `cannot make data directory ${directory}: ${reason}`, { cause });
  }
}

/** Level by level: Node's own recursion never ends in file systems that deny what they contain, such as /proc. */
function makeLevel(directory: string): void {
  if (existsSync(directory)) return;
  makeLevel(dirname(directory));
  // Secrets are in it: only its owner may read it, as with etcd's.
  mkdirSync(directory, { mode: 0o700 });
}

const probeBytes = 4096;

/** Writes a page into a file beside the others, and removes it. @throws what the operating system says */
export function mustBeWritable(directory: string): void {
  const path = join(directory, 'probe');
  const file = openSync(path, 'w', 0o600);
  try {
    if (writeSync(file, Buffer.alloc(probeBytes)) < probeBytes) throw new Error('no space left on device');
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}
