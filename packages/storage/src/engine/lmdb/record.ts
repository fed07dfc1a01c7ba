/**
 * The encoding of entries and events in the tables. Numbers are big-endian; revisions take six bytes, enough for 280
 * million million writes.
 *
 * `head`: key → checksum, header, value. `log`: revision, index → checksum, key, the event, and *the previous value*.
 * The new value of a put is not in the log: it is in `head`, or in the next record of the same key. So a create writes
 * its value once, compaction only drops records, and the log is all that is needed for history.
 *
 * A checksum (CRC-32) covers the key and everything after it. Every reader of a row verifies it.
 */
import { crc32 } from 'node:zlib';
import { StorageError, type Entry, type Revision } from '../../storage.ts';
import type { LogRecord } from '../table.ts';

/**
 * The current layout. `upgrade.ts` knows the older ones. Layout 2 had no log in front of the file; layout 3 had no
 * superblock beside it, and checksums only of entries and records. A program that knows nothing of these must not take
 * the file for everything.
 */
export const formatVersion = 4;

const checksumBytes = 4;
const revisionBytes = 6;
/** createRevision, modRevision, version, lease. */
const headerBytes = 3 * revisionBytes + 8;
const indexBytes = 4;
/** type, length of the key. */
const recordHeadBytes = 1 + 2;
const recordKeyAt = checksumBytes + recordHeadBytes;

const kinds = { put: 1, delete: 2, create: 3 } as const;

export const lastRevision = 2 ** 48 - 1;
export const lastIndex = 2 ** 32 - 1;

export function encodeEntry(key: Buffer, entry: Entry): Buffer {
  const bytes = Buffer.allocUnsafe(checksumBytes + headerBytes + entry.value.length);
  writeEntry(bytes, checksumBytes, entry);
  return withChecksum(key, bytes);
}

/** @param keyBytes `key` as it is stored */
export function decodeEntry(key: string, keyBytes: Buffer, bytes: Buffer): Entry {
  if (bytes.length < checksumBytes + headerBytes) return { ...noEntry, key, isDamaged: true };
  const entry = readEntry(key, bytes, checksumBytes);
  return hasRightChecksum(keyBytes, bytes) ? entry : { ...entry, isDamaged: true };
}

export const damagedEntry = (key: string): string => `the entry ${key} is damaged`;
export const damagedRecord = (revision: Revision): string => `the record ${revision} is damaged`;

const noEntry = { value: Buffer.alloc(0), createRevision: 0, modRevision: 0, version: 0 };

export function encodeLogKey(revision: Revision, index: number): Buffer {
  const key = Buffer.allocUnsafe(revisionBytes + indexBytes);
  key.writeUIntBE(revision, 0, revisionBytes);
  key.writeUInt32BE(index, revisionBytes);
  return key;
}

export const revisionOfLogKey = (key: Buffer): Revision => key.readUIntBE(0, revisionBytes);

export function encodeLogRecord(
  logKey: Buffer,
  type: 'put' | 'delete',
  key: string,
  previous: Entry | undefined,
): Buffer {
  const entryBytes = previous === undefined ? 0 : headerBytes + previous.value.length;
  const bytes = Buffer.allocUnsafe(recordKeyAt + key.length + entryBytes);
  bytes[checksumBytes] = previous === undefined ? kinds.create : kinds[type];
  bytes.writeUInt16BE(key.length, checksumBytes + 1);
  bytes.write(key, recordKeyAt, 'latin1');
  if (previous !== undefined) writeEntry(bytes, recordKeyAt + key.length, previous);
  return withChecksum(logKey, bytes);
}

/** @throws StorageError 'corrupt' */
export function decodeLogRecord(logKey: Buffer, bytes: Buffer): LogRecord {
  const revision = revisionOfLogKey(logKey);
  if (!hasRightChecksum(logKey, bytes)) throw new StorageError('corrupt', damagedRecord(revision));
  return readLogRecord(revision, bytes, checksumBytes);
}

export const encodeKey = (key: string): Buffer => Buffer.from(key, 'latin1');

export const decodeKey = (bytes: Buffer): string => bytes.toString('latin1');

/** For the rows of all tables. */
export const hasRightChecksum = (key: Buffer, bytes: Buffer): boolean =>
  bytes.length >= checksumBytes && bytes.readUInt32BE(0) === checksumOf(key, bytes);

/** From `at` on, after the checksum, if there is one. */
export function readEntry(key: string, bytes: Buffer, at: number): Entry {
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

/** From `at` on, like {@link readEntry}. */
export function readLogRecord(revision: Revision, bytes: Buffer, at: number): LogRecord {
  const keyAt = at + recordHeadBytes;
  const valueAt = keyAt + bytes.readUInt16BE(at + 1);
  const key = bytes.toString('latin1', keyAt, valueAt);
  const previous = bytes[at] === kinds.create ? undefined : readEntry(key, bytes, valueAt);
  return { revision, key, type: bytes[at] === kinds.delete ? 'delete' : 'put', previous };
}

function writeEntry(bytes: Buffer, at: number, entry: Entry): void {
  bytes.writeUIntBE(entry.createRevision, at, revisionBytes);
  bytes.writeUIntBE(entry.modRevision, at + revisionBytes, revisionBytes);
  bytes.writeUIntBE(entry.version, at + 2 * revisionBytes, revisionBytes);
  bytes.writeBigInt64BE(entry.leaseId ?? 0n, at + 3 * revisionBytes);
  bytes.set(entry.value, at + headerBytes);
}

/** The bytes after the checksum. */
export const valueOf = (bytes: Buffer): Buffer => bytes.subarray(checksumBytes);

/** Writes the checksum into the first four bytes. */
export function withChecksum(key: Buffer, bytes: Buffer): Buffer {
  bytes.writeUInt32BE(checksumOf(key, bytes), 0);
  return bytes;
}

const checksumOf = (key: Buffer, bytes: Buffer): number => crc32(bytes.subarray(checksumBytes), crc32(key));
