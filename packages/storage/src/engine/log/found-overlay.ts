import type { Entry } from '../../storage.ts';
import { metaOf } from '../lmdb/meta.ts';
import type { LmdbFile } from '../lmdb/lmdb-file.ts';
import { decodeEntry, encodeKey, formatVersion } from '../lmdb/record.ts';
import { newestRevision } from '../lmdb/upgrade.ts';
import { overlayOf } from './replay.ts';
import type { Overlay } from './overlay.ts';
import { readLog } from './write-ahead-log.ts';

/**
 * What a directory's log holds over its tables, for who looks at them and changes nothing. Older layouts had no log.
 * @throws StorageError 'corrupt' | 'unavailable'
 */
export function foundOverlay(directory: string, file: LmdbFile): Overlay | undefined {
  const meta = metaOf(file.meta);
  if (meta.format() !== String(formatVersion)) return undefined;
  const get = (key: string): Entry | undefined => {
    const bytes = file.head.get(encodeKey(key));
    return bytes && decodeEntry(key, bytes);
  };
  return overlayOf(get, readLog(directory, meta.logged()), newestRevision(file));
}
