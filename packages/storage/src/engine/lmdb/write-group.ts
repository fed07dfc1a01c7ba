import type { Event, Revision } from '../../storage.ts';
import type { CommitGroup, LeaseChange } from '../table.ts';
import { encodeLease, leaseKey, leasedValue } from './lease-record.ts';
import type { LmdbFile } from './lmdb-file.ts';
import { encodeEntry, encodeKey, encodeLogKey, encodeLogRecord } from './record.ts';

/** Must be called in a transaction. Groups may be written repeatedly, in order, with the same result. */
export function writeGroup(file: LmdbFile, { commits, leases }: CommitGroup): void {
  /** The last change of each key; earlier ones are only in the log. */
  const newest = new Map<string, Event>();
  for (const { revision, events } of commits) {
    for (const [index, event] of events.entries()) {
      newest.set(event.entry.key, event);
      writeRecord(file, event, revision, index);
    }
  }
  for (const event of newest.values()) writeEntry(file, event);
  for (const change of leases) writeLease(file, change);
}

function writeEntry({ head }: LmdbFile, { type, entry }: Event): void {
  const key = encodeKey(entry.key);
  if (type === 'put') void head.put(key, encodeEntry(key, entry));
  else void head.remove(key);
}

function writeRecord(
  file: LmdbFile,
  { type, entry, previous }: Event,
  revision: Revision,
  index: number,
): void {
  const logKey = encodeLogKey(revision, index);
  void file.log.put(logKey, encodeLogRecord(logKey, type, entry.key, previous));
  const leaseId = type === 'put' ? entry.leaseId : undefined;
  if (previous?.leaseId === leaseId) return;
  const key = encodeKey(entry.key);
  if (previous?.leaseId !== undefined) void file.leased.remove(leaseKey(previous.leaseId, key));
  if (leaseId !== undefined) putLeased(file, leaseKey(leaseId, key));
}

export const putLeased = ({ leased }: LmdbFile, row: Buffer): void => void leased.put(row, leasedValue(row));

function writeLease({ leases }: LmdbFile, change: LeaseChange): void {
  if (change.kind === 'set') void leases.put(leaseKey(change.lease.id), encodeLease(change.lease));
  else void leases.remove(leaseKey(change.id));
}
