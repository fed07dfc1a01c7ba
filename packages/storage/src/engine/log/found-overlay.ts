import type { LmdbFile } from '../lmdb/lmdb-file.ts';
import { metaOf } from '../lmdb/meta.ts';
import type { Superblock } from '../lmdb/superblock.ts';
import { entryIn, newestRevision } from '../lmdb/upgrade.ts';
import type { Overlay } from './overlay.ts';
import { overlayOf } from './replay.ts';
import { readLog } from './write-ahead-log.ts';

/** Layouts without a log. */
const withoutLog: readonly (string | undefined)[] = [undefined, '1', '2'];

/**
 * The log's content over the tables of a directory, for readers that change nothing.
 * @throws StorageError 'corrupt' | 'unavailable'
 */
export function foundOverlay(
  directory: string,
  file: LmdbFile,
  superblock: Superblock | undefined,
): Overlay | undefined {
  const meta = metaOf(file.meta);
  if (withoutLog.includes(meta.format())) return undefined;
  const { records } = readLog(directory, meta.logged(), superblock);
  return overlayOf((key) => entryIn(file, key), records, newestRevision(file));
}
