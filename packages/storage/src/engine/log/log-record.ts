/**
 * The encoding of a group of commits in the log: the salt of its file, checksum (CRC-32 of everything after it), length
 * of the content, sequence number, content. Numbers are big-endian, revisions take six bytes as in the tables. The
 * content has what was written but not what it replaced, which is known to whoever reads the log in order.
 */
import { crc32 } from 'node:zlib';
import type { Entry, Event, LeaseId, Revision } from '../../storage.ts';
import type { Commit, CommitGroup, LeaseChange } from '../table.ts';

const sequenceBytes = 6;
const revisionBytes = 6;
const leaseIdBytes = 8;
const countBytes = 4;
const at = { salt: 0, checksum: 4, length: 8, sequence: 12, content: 18 } as const;
export const recordHeadBytes = at.content;

const kinds = { delete: 0, put: 1, putOnLease: 2 } as const;
const leaseKinds = { remove: 0, set: 1 } as const;
/** kind, length of the key. */
const eventHeadBytes = 1 + 2;
const valueLengthBytes = 4;

export function recordBytesOf({ commits, leases }: CommitGroup): number {
  let bytes = recordHeadBytes + 2 * countBytes;
  for (const { events } of commits) {
    bytes += revisionBytes + countBytes;
    for (const event of events) bytes += eventBytesOf(event);
  }
  for (const { kind } of leases) bytes += 1 + leaseIdBytes + (kind === 'set' ? 16 : 0);
  return bytes;
}

function eventBytesOf({ type, entry }: Event): number {
  const head = eventHeadBytes + entry.key.length;
  if (type === 'delete') return head;
  return head + (entry.leaseId === undefined ? 0 : leaseIdBytes) + valueLengthBytes + entry.value.length;
}

/** Writes the record at the beginning of `bytes`, which has at least {@link recordBytesOf} bytes. */
export function writeRecord(bytes: Buffer, group: CommitGroup, sequence: number, salt: number): void {
  let end = bytes.writeUInt32BE(group.commits.length, at.content);
  for (const { revision, events } of group.commits) {
    end = bytes.writeUIntBE(revision, end, revisionBytes);
    end = bytes.writeUInt32BE(events.length, end);
    for (const event of events) end = writeEvent(bytes, end, event);
  }
  end = bytes.writeUInt32BE(group.leases.length, end);
  for (const change of group.leases) end = writeLeaseChange(bytes, end, change);
  bytes.writeUInt32BE(end - at.content, at.length);
  bytes.writeUIntBE(sequence, at.sequence, sequenceBytes);
  bytes.writeUInt32BE(crc32(bytes.subarray(at.length, end)), at.checksum);
  bytes.writeUInt32BE(salt, at.salt);
}

function writeEvent(bytes: Buffer, start: number, { type, entry }: Event): number {
  const { key, value, leaseId } = entry;
  const kind = type === 'delete' ? kinds.delete : leaseId === undefined ? kinds.put : kinds.putOnLease;
  bytes[start] = kind;
  let end = bytes.writeUInt16BE(key.length, start + 1);
  end += bytes.write(key, end, 'latin1');
  if (kind === kinds.delete) return end;
  if (leaseId !== undefined) end = bytes.writeBigInt64BE(leaseId, end);
  end = bytes.writeUInt32BE(value.length, end);
  bytes.set(value, end);
  return end + value.length;
}

function writeLeaseChange(bytes: Buffer, start: number, change: LeaseChange): number {
  bytes[start] = leaseKinds[change.kind];
  if (change.kind === 'remove') return bytes.writeBigInt64BE(change.id, start + 1);
  const end = bytes.writeBigInt64BE(change.lease.id, start + 1);
  return bytes.writeDoubleBE(change.lease.expiresAtUnixMs, bytes.writeDoubleBE(change.lease.ttlSeconds, end));
}

export interface FoundRecord {
  readonly sequence: number;
  readonly content: Buffer;
  /** The offset of the next record. */
  readonly end: number;
}

/** The record at `start`; undefined when there is no complete one. */
export function findRecord(bytes: Buffer, start: number, salt: number): FoundRecord | undefined {
  if (start + recordHeadBytes > bytes.length || bytes.readUInt32BE(start) !== salt) return undefined;
  const contentAt = start + at.content;
  const end = contentAt + bytes.readUInt32BE(start + at.length);
  const sequence = bytes.readUIntBE(start + at.sequence, sequenceBytes);
  if (end > bytes.length) return undefined;
  const checksum = bytes.readUInt32BE(start + at.checksum);
  if (crc32(bytes.subarray(start + at.length, end)) !== checksum) return undefined;
  return { sequence, content: bytes.subarray(contentAt, end), end };
}

/**
 * The group of a record. `latest` returns the value under a key after everything before, including what `took` was
 * called with.
 */
export function readGroup(
  content: Buffer,
  latest: (key: string) => Entry | undefined,
  took: (commit: Commit) => void,
): readonly LeaseChange[] {
  const reader = new ContentReader(content);
  for (let commits = reader.count(); commits > 0; commits--) {
    const revision = reader.revision();
    const written = new Map<string, Entry | undefined>();
    const events: Event[] = [];
    for (let left = reader.count(); left > 0; left--) {
      const change = reader.change();
      const { key } = change;
      const previous = written.has(key) ? written.get(key) : latest(key);
      const event = eventOf(change, revision, previous);
      written.set(key, event.type === 'put' ? event.entry : undefined);
      events.push(event);
    }
    took({ revision, events });
  }
  return Array.from({ length: reader.count() }, () => reader.leaseChange());
}

interface StoredChange {
  readonly key: string;
  /** Absent for a delete. */
  readonly value: Buffer | undefined;
  readonly leaseId: LeaseId | undefined;
}

function eventOf(
  { key, value, leaseId }: StoredChange,
  revision: Revision,
  previous: Entry | undefined,
): Event {
  if (value === undefined)
    return { type: 'delete', entry: { ...previous!, modRevision: revision }, previous: previous! };
  const entry: Entry = {
    key,
    value,
    createRevision: previous?.createRevision ?? revision,
    modRevision: revision,
    version: (previous?.version ?? 0) + 1,
    ...(leaseId === undefined ? undefined : { leaseId }),
  };
  return { type: 'put', entry, ...(previous && { previous }) };
}

class ContentReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  count(): number {
    return this.#bytes.readUInt32BE(this.#skip(countBytes));
  }

  revision(): Revision {
    return this.#bytes.readUIntBE(this.#skip(revisionBytes), revisionBytes);
  }

  change(): StoredChange {
    const kind = this.#bytes[this.#skip(1)];
    const keyBytes = this.#bytes.readUInt16BE(this.#skip(2));
    const keyAt = this.#skip(keyBytes);
    const key = this.#bytes.toString('latin1', keyAt, keyAt + keyBytes);
    if (kind === kinds.delete) return { key, value: undefined, leaseId: undefined };
    const leaseId = kind === kinds.putOnLease ? this.#leaseId() : undefined;
    const valueBytes = this.#bytes.readUInt32BE(this.#skip(valueLengthBytes));
    const valueAt = this.#skip(valueBytes);
    return { key, value: this.#bytes.subarray(valueAt, valueAt + valueBytes), leaseId };
  }

  leaseChange(): LeaseChange {
    const isSet = this.#bytes[this.#skip(1)] === leaseKinds.set;
    const id = this.#leaseId();
    if (!isSet) return { kind: 'remove', id };
    const ttlSeconds = this.#bytes.readDoubleBE(this.#skip(8));
    return {
      kind: 'set',
      lease: { id, ttlSeconds, expiresAtUnixMs: this.#bytes.readDoubleBE(this.#skip(8)) },
    };
  }

  #leaseId(): LeaseId {
    return this.#bytes.readBigInt64BE(this.#skip(leaseIdBytes));
  }

  /** Returns the previous offset. */
  #skip(bytes: number): number {
    const start = this.#at;
    this.#at += bytes;
    return start;
  }
}
