/**
 * How entries and events lie in the tables. Numbers are big-endian; revisions take six bytes, enough for
 * 280 million million writes.
 *
 * `head`: key → header, value. `log`: revision, index → key, what happened, and *what stood there before*.
 * The new value of a put is not in the log: it stands in `head`, or in the next record of the same key. So a
 * creation writes its value once, compaction only drops records, and nothing has to be kept for the past but
 * the log.
 */
import type { Entry, Revision } from '../../storage.ts';

const revisionBytes = 6;
/** createRevision, modRevision, version, lease. */
const headerBytes = 3 * revisionBytes + 8;
const indexBytes = 4;
/** type, length of the key. */
const recordHeadBytes = 1 + 2;

const kinds = { put: 1, delete: 2, create: 3 } as const;

export interface LogRecord {
  readonly revision: Revision;
  readonly key: string;
  readonly type: 'put' | 'delete';
  readonly previous: Entry | undefined;
}

export function encodeEntry(entry: Entry): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + entry.value.length);
  writeEntry(bytes, 0, entry);
  return bytes;
}

export const decodeEntry = (key: string, bytes: Buffer): Entry => readEntry(key, bytes, 0);

export function encodeLogKey(revision: Revision, index: number): Buffer {
  const key = Buffer.allocUnsafe(revisionBytes + indexBytes);
  key.writeUIntBE(revision, 0, revisionBytes);
  key.writeUInt32BE(index, revisionBytes);
  return key;
}

export const revisionOfLogKey = (key: Buffer): Revision => key.readUIntBE(0, revisionBytes);

export function encodeLogRecord(type: 'put' | 'delete', key: string, previous: Entry | undefined): Buffer {
  const entryBytes = previous === undefined ? 0 : headerBytes + previous.value.length;
  const bytes = Buffer.allocUnsafe(recordHeadBytes + key.length + entryBytes);
  bytes[0] = previous === undefined ? kinds.create : kinds[type];
  bytes.writeUInt16BE(key.length, 1);
  bytes.write(key, recordHeadBytes, 'latin1');
  if (previous !== undefined) writeEntry(bytes, recordHeadBytes + key.length, previous);
  return bytes;
}

export function decodeLogRecord(revision: Revision, bytes: Buffer): LogRecord {
  const valueAt = recordHeadBytes + bytes.readUInt16BE(1);
  const key = bytes.toString('latin1', recordHeadBytes, valueAt);
  const previous = bytes[0] === kinds.create ? undefined : readEntry(key, bytes, valueAt);
  return { revision, key, type: bytes[0] === kinds.delete ? 'delete' : 'put', previous };
}

/** The key of a record, without the rest. */
export const keyOfLogRecord = (bytes: Buffer): string =>
  bytes.toString('latin1', recordHeadBytes, recordHeadBytes + bytes.readUInt16BE(1));

export const encodeKey = (key: string): Buffer => Buffer.from(key, 'latin1');

export const decodeKey = (bytes: Buffer): string => bytes.toString('latin1');

function writeEntry(bytes: Buffer, at: number, entry: Entry): void {
  bytes.writeUIntBE(entry.createRevision, at, revisionBytes);
  bytes.writeUIntBE(entry.modRevision, at + revisionBytes, revisionBytes);
  bytes.writeUIntBE(entry.version, at + 2 * revisionBytes, revisionBytes);
  bytes.writeBigInt64BE(entry.leaseId ?? 0n, at + 3 * revisionBytes);
  bytes.set(entry.value, at + headerBytes);
}

function readEntry(key: string, bytes: Buffer, at: number): Entry {
  const leaseId = bytes.readBigInt64BE(at + 3 * revisionBytes);
  return {
    key,
    value: bytes.subarray(at + headerBytes),
    createRevision: bytes.readUIntBE(at, revisionBytes),
    modRevision: bytes.readUIntBE(at + revisionBytes, revisionBytes),
    version: bytes.readUIntBE(at + 2 * revisionBytes, revisionBytes),
    ...(leaseId === 0n ? undefined : { leaseId }),
  };
}
