/**
 * The encoding of leases in `leases` (number → checksum, time to live, end) and in `leased` (number and key →
 * checksum). Rows from before layout 4 have no checksum and are shorter.
 */
import { StorageError, type LeaseId } from '../../storage.ts';
import type { StoredLease } from '../table.ts';
import { decodeKey, hasRightChecksum, withChecksum } from './record.ts';

const leaseIdBytes = 8;
const checksumBytes = 4;
const leaseBytes = 16;
const nothing = Buffer.alloc(0);

export function leaseKey(id: LeaseId, key: Buffer = nothing): Buffer {
  const bytes = Buffer.alloc(leaseIdBytes + key.length);
  bytes.writeBigInt64BE(id);
  bytes.set(key, leaseIdBytes);
  return bytes;
}

/** The value of a row of `leased`. */
export const leasedValue = (key: Buffer): Buffer => withChecksum(key, Buffer.alloc(checksumBytes));

/** @throws StorageError 'corrupt' */
export function decodeLeasedKey(key: Buffer, value: Buffer): { id: LeaseId; key: string } {
  const leased = { id: key.readBigInt64BE(0), key: decodeKey(key.subarray(leaseIdBytes)) };
  if (value.length > 0 && !hasRightChecksum(key, value))
    throw new StorageError('corrupt', `the row of key ${leased.key} on lease ${leased.id} is damaged`);
  return leased;
}

export function encodeLease({ id, ttlSeconds, expiresAtUnixMs }: StoredLease): Buffer {
  const bytes = Buffer.alloc(checksumBytes + leaseBytes);
  bytes.writeDoubleBE(ttlSeconds, checksumBytes);
  bytes.writeDoubleBE(expiresAtUnixMs, checksumBytes + 8);
  return withChecksum(leaseKey(id), bytes);
}

/** @throws StorageError 'corrupt' */
export function decodeLease(key: Buffer, value: Buffer): StoredLease {
  const id = key.readBigInt64BE(0);
  if (value.length > leaseBytes && !hasRightChecksum(key, value))
    throw new StorageError('corrupt', `lease ${id} is damaged`);
  const start = value.length - leaseBytes;
  return { id, ttlSeconds: value.readDoubleBE(start), expiresAtUnixMs: value.readDoubleBE(start + 8) };
}
