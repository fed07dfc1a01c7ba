import { StorageError } from '../../storage.ts';
import type { Revision } from '../../storage.ts';
import { nextFileOf, putNextFileInPlace, removeNextFile } from './file-names.ts';
import { FileFiller } from './fill-file.ts';
import { LmdbFile } from './lmdb-file.ts';
import type { Durability } from './lmdb-file.ts';
import { layout1, viewFile } from './lmdb-view.ts';
import { metaOf } from './meta.ts';
import type { OpeningProgress } from './opening-progress.ts';
import { formatVersion, revisionOfLogKey } from './record.ts';

/** How each layout is read whose rows are others. */
const layouts: Readonly<Record<string, typeof layout1>> = { 1: layout1 };

/** The layout that differs in its number only. */
const withoutLog = '2';

/** Whether the file is to be written anew. A file that was just made gets the present format. @throws StorageError 'corrupt' */
export function isOutdated(file: LmdbFile, path: string): boolean {
  const meta = metaOf(file.meta);
  const stored = meta.format();
  if (stored === String(formatVersion)) return false;
  if (stored === undefined && file.head.getKeysCount({ limit: 1 }) === 0) {
    file.togetherAtOnce(() => void meta.setFormat(formatVersion));
    return false;
  }
  if (stored !== undefined && stored in layouts) return true;
  if (stored === withoutLog) {
    file.togetherAtOnce(() => void meta.setFormat(formatVersion));
    return false;
  }
  const problem = stored === undefined ? 'it is not a database of this program' : `its format is ${stored}`;
  throw new StorageError(
    'corrupt',
    `${path} cannot be used: ${problem}; this version reads the formats up to ${formatVersion}`,
  );
}

/**
 * Writes an older file anew in the present layout, and puts it in the place of the old one when it is whole:
 * a process that ends in between has changed nothing.
 */
export function upgradeFile(
  directory: string,
  old: LmdbFile,
  durability: Durability,
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
    filler.finish(compactedRevision);
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

/** Every write is in the log; what was compacted never goes beyond its last one, which is kept. */
export function newestRevision(file: LmdbFile): Revision {
  for (const key of file.log.getKeys({ reverse: true, limit: 1 })) return revisionOfLogKey(key);
  return Math.max(1, metaOf(file.meta).compactedRevision());
}
