import { StorageError, type Revision } from '../../storage.ts';
import type { TableView } from '../table.ts';
import { decodeLease } from './lease-record.ts';
import { reading, type Bytes, type LmdbFile } from './lmdb-file.ts';
import {
  decodeEntry,
  decodeKey,
  decodeLogRecord,
  readEntry,
  readLogRecord,
  revisionOfLogKey,
} from './record.ts';

/** How to decode entries and records; older layouts differ. */
const currentLayout = {
  entry: (key: Buffer, bytes: Buffer) => decodeEntry(decodeKey(key), key, bytes),
  record: decodeLogRecord,
};
/** Layout 1 had no checksums. */
export const layout1: typeof currentLayout = {
  entry: (key, bytes) => readEntry(decodeKey(key), bytes, 0),
  record: (logKey, bytes) => readLogRecord(revisionOfLogKey(logKey), bytes, 0),
};

export interface ViewedRevisions {
  readonly revision: Revision;
  readonly compactedRevision: Revision;
}

/** One read transaction over all tables. Closing the file ends iterations with 'closed'. */
export function viewFile(file: LmdbFile, revisions: ViewedRevisions, layout = currentLayout): TableView {
  let isOver = false;
  const { transaction, end } = file.read(() => (isOver = true));
  function* walk(table: Bytes): Generator<{ key: Buffer; value: Buffer }, void, void> {
    const rows = table.getRange({ transaction })[Symbol.iterator]();
    try {
      for (;;) {
        if (isOver) throw new StorageError('closed', 'the store is closed');
        const next = reading(() => rows.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      if (!isOver) rows.return?.();
    }
  }
  return {
    ...revisions,
    leases: [...walk(file.leases)].map(({ key, value }) => decodeLease(key, value)),
    *entries() {
      for (const { key, value } of walk(file.head)) yield layout.entry(key, value);
    },
    *records() {
      for (const { key, value } of walk(file.log)) yield layout.record(key, value);
    },
    release: end,
  };
}
