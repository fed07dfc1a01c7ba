/** How leases lie in `leases` (number → time to live, end) and in `leased` (number and key → nothing). */
import type { LeaseId } from '../../storage.ts';
import type { StoredLease } from '../table.ts';
import { decodeKey } from './record.ts';

const leaseIdBytes = 8;
export const nothing = Buffer.alloc(0);

export function leaseKey(id: LeaseId, key: Buffer = nothing): Buffer {
  const bytes = Buffer.alloc(leaseIdBytes + key.length);
  bytes.writeBigInt64BE(id);
  bytes.set(key, leaseIdBytes);
  return bytes;
}

export const decodeLeasedKey = (key: Buffer): { id: LeaseId; key: string } => ({
  id: key.readBigInt64BE(0),
  key: decodeKey(key.subarray(leaseIdBytes)),
});

export function encodeLease({ ttlSeconds, expiresAtUnixMs }: StoredLease): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeDoubleBE(ttlSeconds, 0);
  bytes.writeDoubleBE(expiresAtUnixMs, 8);
  return bytes;
}

export const decodeLease = (key: Buffer, value: Buffer): StoredLease => ({
  id: key.readBigInt64BE(0),
  ttlSeconds: value.readDoubleBE(0),
  expiresAtUnixMs: value.readDoubleBE(8),
});
