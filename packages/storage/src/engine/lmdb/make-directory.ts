import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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
