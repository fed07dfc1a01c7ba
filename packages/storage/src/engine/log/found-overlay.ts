import type { LmdbFile } from '../lmdb/lmdb-file.ts';
import { metaOf } from '../lmdb/meta.ts';
import type { Superblock } from '../lmdb/superblock.ts';
import { entryIn, newestRevision } from '../lmdb/upgrade.ts';
import type { Overlay } from './overlay.ts';
import { overlayOf } from './replay.ts';
import { readLog } from './write-ahead-log.ts';

/** Layouts that had none. */
const withoutLog: readonly (string | undefined)[] = [undefined, '1', '2'];

/**
 * What a directory's log holds over its tables, for who looks at them and changes nothing.
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
