import { existsSync } from 'node:fs';
import { systemClock } from '@coxswain/apimachinery';
import { StorageError, type Revision } from '../../storage.ts';
import { decodeSnapshot, type SnapshotItem } from '../snapshot/snapshot-format.ts';
import { removeLog } from '../log/log-paths.ts';
import { dataFileOf, nextFileOf, putNextFileInPlace, removeNextFile } from './file-names.ts';
import { FileFiller } from './fill-file.ts';
import { LmdbFile } from './lmdb-file.ts';
import { openDirectory } from './open-directory.ts';
import { SuperblockFile } from './superblock.ts';

export interface RestoreOptions {
  /**
   * How far revisions skip beyond those of the snapshot, whose history is dropped: clients that saw revisions after the
   * snapshot then read again, instead of taking new ones for those.
   */
  readonly bumpRevision?: number;
}

export interface Restored {
  readonly revision: Revision;
  readonly entries: number;
}

/**
 * Makes a data directory from a snapshot. Afterwards it has a complete store, or none.
 * @throws StorageError 'unavailable' when there is one already or the directory can't be written, 'locked', 'corrupt'
 * when the snapshot is damaged
 */
export async function restoreSnapshot(
  chunks: AsyncIterable<Uint8Array>,
  directory: string,
  { bumpRevision = 0 }: RestoreOptions = {},
): Promise<Restored> {
  const lock = openDirectory(directory);
  try {
    if (existsSync(dataFileOf(directory))) {
      throw new StorageError('unavailable', `data directory ${directory} holds a store already`);
    }
    removeNextFile(directory);
    removeLog(directory);
    return await placeStore(directory, (filler, store) => fill(filler, store, chunks, bumpRevision));
  } finally {
    lock.release();
  }
}

/** Puts the tables that `fill` creates for a new store into the directory, which must not have any. */
export async function placeStore<T>(
  directory: string,
  fill: (filler: FileFiller, store: string) => Promise<T>,
): Promise<T> {
  const superblock = SuperblockFile.create(directory, 'sync', systemClock);
  const file = new LmdbFile(nextFileOf(directory), 'relaxed');
  try {
    const filled = await fill(new FileFiller(file), superblock.storeId.toString('hex'));
    const tables = file.mark();
    await file.close();
    putNextFileInPlace(directory);
    superblock.store({ tables });
    return filled;
  } finally {
    await file.close();
    await superblock.close();
    removeNextFile(directory);
  }
}

async function fill(
  filler: FileFiller,
  store: string,
  chunks: AsyncIterable<Uint8Array>,
  bumpRevision: number,
): Promise<Restored> {
  let [revision, compactedRevision, entries] = [1, 0, 0];
  for await (const item of decodeSnapshot(chunks)) {
    if (item.kind === 'store') ({ revision, compactedRevision } = item);
    else if (item.kind !== 'record' || bumpRevision === 0) add(filler, item);
    entries += Number(item.kind === 'entry');
  }
  filler.finish(store, bumpRevision === 0 ? compactedRevision : revision + bumpRevision);
  return { revision: revision + bumpRevision, entries };
}

function add(filler: FileFiller, item: Exclude<SnapshotItem, { kind: 'store' }>): void {
  if (item.kind === 'lease') filler.addLease(item.lease);
  else if (item.kind === 'entry') filler.addEntry(item.entry);
  else filler.addRecord(item.record);
}
