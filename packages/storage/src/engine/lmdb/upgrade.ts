import { StorageError, type Entry, type Revision } from '../../storage.ts';
import { overlayOf } from '../log/replay.ts';
import { readLog } from '../log/write-ahead-log.ts';
import type { CommitGroup } from '../table.ts';
import { damaged } from './damage.ts';
import {
  dataFileOf,
  nextFileOf,
  putNextFileInPlace,
  removeNextFile,
  superblockFileOf,
} from './file-names.ts';
import { FileFiller } from './fill-file.ts';
import { LmdbFile, reading } from './lmdb-file.ts';
import type { Durability } from './durability.ts';
import { layout1, viewFile } from './lmdb-view.ts';
import { metaOf } from './meta.ts';
import type { OpeningProgress } from './opening-progress.ts';
import { decodeEntry, encodeKey, formatVersion, revisionOfLogKey } from './record.ts';
import { holdsSomething, type Superblock } from './superblock.ts';
import { writeGroup } from './write-group.ts';

/** How to read layouts with different rows. */
const layouts: Readonly<Record<string, typeof layout1>> = { 1: layout1 };

/** Layouts with the same entries and records as the current one: 2 had no log, 3 no superblock. */
const alike = ['2', '3'];

/** What to do with a file: nothing, rewrite it, add the current layout's rows, or fill it. */
export type FileState = 'present' | 'outdated' | 'alike' | 'new';

/**
 * @param superblock what was found beside it
 * @throws StorageError 'corrupt' for a foreign file or a later layout, and when file and superblock are of different
 * stores
 */
export function stateOfFile(
  directory: string,
  file: LmdbFile,
  superblock: Superblock | undefined,
): FileState {
  const meta = metaOf(file.meta);
  const path = dataFileOf(directory);
  const format = meta.format();
  const isUsed = superblock !== undefined && holdsSomething(superblock);
  if (format === String(formatVersion)) {
    if (superblock === undefined)
      throw damaged(directory, `${superblockFileOf(directory)} is missing or damaged`);
    if (meta.store() !== superblock.storeId.toString('hex'))
      throw damaged(directory, `${path} is of another store`);
    return 'present';
  }
  const isEmpty = format === undefined && file.head.getKeysCount({ limit: 1 }) === 0;
  if (isUsed) throw damaged(directory, isEmpty ? `${path} holds nothing` : `${path} is of layout ${format}`);
  if (isEmpty) return 'new';
  if (format !== undefined && format in layouts) return 'outdated';
  if (format !== undefined && alike.includes(format)) return 'alike';
  const problem = format === undefined ? 'it is not a database of this program' : `its format is ${format}`;
  throw new StorageError(
    'corrupt',
    `${path} cannot be used: ${problem}; this version reads the formats up to ${formatVersion}`,
  );
}

/**
 * Moves the log's content into the tables, since old log files had no id, and gives the tables one, in one transaction.
 * The caller then removes the log.
 */
export function upgradeInPlace(directory: string, file: LmdbFile, store: string): void {
  const { commits, leases, sequence } = loggedBefore(directory, file);
  file.togetherAtOnce(() => {
    const meta = metaOf(file.meta);
    const [compacted, alarms] = [meta.compactedRevision(), meta.alarms()];
    writeGroup(file, { commits, leases });
    meta.write({ store, compacted, alarms, logged: sequence });
  });
}

function loggedBefore(directory: string, file: LmdbFile): CommitGroup & { readonly sequence: number } {
  const found = readLog(directory, metaOf(file.meta).logged(), undefined);
  const overlay = overlayOf((key) => entryIn(file, key), found.records, newestRevision(file));
  return { commits: overlay.commits(), leases: overlay.leaseChanges(), sequence: found.sequence };
}

/** The entry under `key` in the tables. */
export function entryIn({ head }: LmdbFile, key: string): Entry | undefined {
  const keyBytes = encodeKey(key);
  const bytes = reading(() => head.get(keyBytes));
  return bytes && decodeEntry(key, keyBytes, bytes);
}

/**
 * Rewrites an older file in the current layout, and replaces the old one when it is complete: a process that ends in
 * between has changed nothing.
 */
export function upgradeFile(
  directory: string,
  old: LmdbFile,
  durability: Durability,
  store: string,
  progress?: OpeningProgress,
): LmdbFile {
  removeNextFile(directory);
  const meta = metaOf(old.meta);
  const compactedRevision = meta.compactedRevision();
  const view = viewFile(old, { revision: newestRevision(old), compactedRevision }, layouts[meta.format()!]);
  const next = new LmdbFile(nextFileOf(directory), durability);
  try {
    const filler = new FileFiller(next);
    for (const lease of view.leases) filler.addLease(lease);
    const rows = old.head.getKeysCount() + old.log.getKeysCount();
    let row = 0;
    const another = (): void => progress?.at('writing it in the present layout', ++row, rows);
    for (const entry of view.entries()) {
      filler.addEntry(entry);
      another();
    }
    for (const record of view.records()) {
      filler.addRecord(record);
      another();
    }
    filler.finish(store, compactedRevision);
    putNextFileInPlace(directory);
  } catch (failure) {
    void next.close();
    removeNextFile(directory);
    throw failure;
  } finally {
    view.release();
    old.retire();
  }
  return next;
}

/** Every write is in the log; compaction always keeps the last record. */
export function newestRevision(file: LmdbFile): Revision {
  for (const key of file.log.getKeys({ reverse: true, limit: 1 })) return revisionOfLogKey(key);
  return Math.max(1, metaOf(file.meta).compactedRevision());
}
