/** A file's metadata: text rows, since layout 4 each with a checksum, all present from the beginning. */
import { StorageError, type Revision } from '../../storage.ts';
import type { Alarm } from '../table.ts';
import type { Bytes } from './lmdb-file.ts';
import { formatVersion, hasRightChecksum, valueOf, withChecksum } from './record.ts';

/** Without a checksum, for programs of other layouts. */
const formatKey = Buffer.from('format');

export interface StoreMeta {
  /** The id of the superblock beside the file, in hexadecimal. */
  readonly store: string;
  readonly compacted: Revision;
  /** The number of the log record up to which everything is in this file; 0: nothing was logged yet. */
  readonly logged: number;
  readonly alarms: readonly Alarm[];
}

type Row = keyof StoreMeta;
const textOf: { readonly [K in Row]: (value: StoreMeta[K]) => string } = {
  store: (store) => store,
  compacted: String,
  logged: String,
  alarms: (alarms) => alarms.join(' '),
};

export const metaOf = (table: Bytes) => {
  const format = (): string | undefined => table.get(formatKey)?.toString();
  const get = (row: Row): string => {
    const bytes = table.get(Buffer.from(row));
    if (format() !== String(formatVersion)) return bytes?.toString() ?? '';
    if (bytes === undefined || !hasRightChecksum(Buffer.from(row), bytes))
      throw new StorageError('corrupt', `row ${row} of the table meta is damaged`);
    return valueOf(bytes).toString();
  };
  const set = <K extends Row>(row: K, value: StoreMeta[K]): void => {
    const [key, text] = [Buffer.from(row), textOf[row](value)];
    void table.put(key, withChecksum(key, Buffer.from(`\0\0\0\0${text}`)));
  };
  return {
    /** Undefined in a new file. */
    format,
    /** All rows in the current layout. Must be called in a transaction. */
    write: (meta: StoreMeta): void => {
      for (const row of Object.keys(textOf) as Row[]) set(row, meta[row]);
      void table.put(formatKey, Buffer.from(String(formatVersion)));
    },
    /** @throws StorageError 'corrupt' */
    mustBeWhole: (): void => (Object.keys(textOf) as Row[]).forEach(get),
    store: (): string => get('store'),
    compactedRevision: (): Revision => Number(get('compacted')),
    setCompactedRevision: (revision: Revision): void => set('compacted', revision),
    logged: (): number => Number(get('logged')),
    setLogged: (sequence: number): void => set('logged', sequence),
    alarms: (): Alarm[] => ((get('alarms') || undefined)?.split(' ') as Alarm[] | undefined) ?? [],
    setAlarms: (alarms: readonly Alarm[]): void => set('alarms', alarms),
  };
};
