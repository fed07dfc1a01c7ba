/** What a file tells about itself, as text. */
import type { Revision } from '../../storage.ts';
import type { Alarm } from '../engine.ts';
import type { Bytes } from './lmdb-file.ts';

const keys = {
  format: Buffer.from('format'),
  compacted: Buffer.from('compacted'),
  alarms: Buffer.from('alarms'),
  logged: Buffer.from('logged'),
};

export const metaOf = (table: Bytes) => ({
  /** Undefined in a file that was just made. */
  format: (): string | undefined => table.get(keys.format)?.toString(),
  setFormat: (format: number) => table.put(keys.format, Buffer.from(String(format))),
  compactedRevision: (): Revision => Number(table.get(keys.compacted)?.toString() ?? 0),
  setCompactedRevision: (revision: Revision) => table.put(keys.compacted, Buffer.from(String(revision))),
  /** The record of the log up to which everything is in this file; 0: nobody has logged yet. */
  logged: (): number => Number(table.get(keys.logged)?.toString() ?? 0),
  setLogged: (sequence: number) => table.put(keys.logged, Buffer.from(String(sequence))),
  alarms: (): Alarm[] =>
    ((table.get(keys.alarms)?.toString() || undefined)?.split(' ') as Alarm[] | undefined) ?? [],
  setAlarms: (alarms: readonly Alarm[]) => table.put(keys.alarms, Buffer.from(alarms.join(' '))),
});
