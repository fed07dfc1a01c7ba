import { statSync } from 'node:fs';
import type { Revision } from '../../storage.ts';
import type { Alarm } from '../table.ts';
import { foundOverlay } from '../log/found-overlay.ts';
import { loggedCounts } from '../log/logged-view.ts';
import { lockDirectory } from '../../directory/directory-lock.ts';
import { dataFileOf } from './file-names.ts';
import { inspectDirectory } from './inspect-directory.ts';
import { LmdbFile } from './lmdb-file.ts';
import { decodeLease } from './lease-record.ts';
import { metaOf } from './meta.ts';
import { newestRevision } from './upgrade.ts';

export interface StoreDescription {
  /** The layout of the file. */
  readonly format: string;
  readonly revision: Revision;
  readonly compactedRevision: Revision;
  readonly keys: number;
  /** The number of changes in the history. */
  readonly records: number;
  readonly leases: number;
  readonly alarms: readonly Alarm[];
  readonly fileBytes: number;
  readonly usedBytes: number;
}

/** Describes the content of a store of any layout without changing it. @throws StorageError as opening it does */
export async function describeStore(directory: string): Promise<StoreDescription> {
  const lock = lockDirectory(directory);
  try {
    const path = dataFileOf(directory);
    const { superblock } = inspectDirectory(directory);
    const file = new LmdbFile(path, 'sync');
    try {
      const meta = metaOf(file.meta);
      const logged = foundOverlay(directory, file, superblock);
      const leases = [...file.leases.getRange({})].map(({ key, value }) => decodeLease(key, value));
      const tables = { entries: file.head.getKeysCount({}), records: file.log.getKeysCount({}) };
      const { entries, ...counts } = loggedCounts(tables, leases, logged);
      return {
        format: meta.format() ?? 'none',
        revision: logged?.revision ?? newestRevision(file),
        compactedRevision: meta.compactedRevision(),
        keys: entries,
        ...counts,
        alarms: meta.alarms(),
        fileBytes: statSync(path).size,
        usedBytes: file.size().usedBytes,
      };
    } finally {
      await file.close();
    }
  } finally {
    lock.release();
  }
}
