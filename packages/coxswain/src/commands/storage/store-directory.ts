import { existsSync } from 'node:fs';
import path from 'node:path';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { dataFileOf, superblockFileOf } from '@coxswain/storage/engine/lmdb/file-names.ts';
import type { ProgramIo } from '../../program/program-io.ts';

/**
 * Returns the directory that holds the store: `directory` itself, or its subdirectory `storage`. @throws Error if there is
 * none
 */
export function storeDirectory(directory: string): string {
  const found = [directory, path.join(directory, 'storage')].find((place) =>
    [dataFileOf(place), superblockFileOf(place)].some((file) => existsSync(file)),
  );
  if (found === undefined) throw new Error(`no store in ${directory}`);
  return found;
}

/** Opens the store as a server does, passes it to `use`, and closes it. Nothing is compacted. */
export async function withStore(
  directory: string,
  io: ProgramIo,
  use: (storage: LmdbStorage, store: string) => Promise<void>,
): Promise<void> {
  const store = storeDirectory(directory);
  const log = (line: string): void => void io.err.write(`${line}\n`);
  const storage = new LmdbStorage({ directory: store, historyMsMax: 0, log });
  try {
    await use(storage, store);
  } finally {
    await storage.close();
  }
}
