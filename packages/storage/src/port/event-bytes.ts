/** Events as bytes: encoded once by the thread that has the store, decoded by every thread that follows it. */
import type { Entry, Event } from '../storage.ts';

/** Flags, lengths of key and value, three numbers and a lease. */
const headBytes = 1 + 4 + 4 + 3 * 8 + 8;
const isDelete = 1;
const hasPrevious = 2;
const hasLease = 4;
const isDamaged = 8;

export function bytesOfEvents(events: readonly Event[]): Uint8Array<SharedArrayBuffer> {
  let bytesMax = 0;
  for (const { entry, previous } of events)
    bytesMax += bytesMaxOf(entry) + (previous ? bytesMaxOf(previous) : 0);
  const shared = new SharedArrayBuffer(bytesMax);
  const bytes = Buffer.from(shared);
  let at = 0;
  for (const { type, entry, previous } of events) {
    const flags = (type === 'delete' ? isDelete : 0) | (previous === undefined ? 0 : hasPrevious);
    at = writeEntry(bytes, at, entry, flags);
    if (previous !== undefined) at = writeEntry(bytes, at, previous, 0);
  }
  return new Uint8Array(shared, 0, at);
}

export function eventsOfBytes(shared: Uint8Array): Event[] {
  const bytes = Buffer.from(shared.buffer, shared.byteOffset, shared.byteLength);
  const events: Event[] = [];
  for (let at = 0; at < bytes.length;) {
    const type = (bytes[at]! & isDelete) === 0 ? 'put' : 'delete';
    const entry = readEntry(bytes, at);
    const next = endOf(bytes, at);
    if ((bytes[at]! & hasPrevious) === 0) events.push({ type, entry });
    else events.push(new EventAfter(type, entry, bytes, next));
    at = (bytes[at]! & hasPrevious) === 0 ? next : endOf(bytes, next);
  }
  return events;
}

/** The previous entry is rarely needed, since a cache knows it. */
class EventAfter implements Event {
  readonly type: Event['type'];
  readonly entry: Entry;
  readonly #bytes: Buffer;
  readonly #at: number;

  constructor(type: Event['type'], entry: Entry, bytes: Buffer, at: number) {
    this.type = type;
    this.entry = entry;
    this.#bytes = bytes;
    this.#at = at;
  }

  get previous(): Entry {
    return readEntry(this.#bytes, this.#at);
  }
}

/** A character of a key takes at most three bytes. */
const bytesMaxOf = ({ key, value }: Entry): number => headBytes + key.length * 3 + value.length;

const endOf = (bytes: Buffer, at: number): number =>
  at + headBytes + bytes.readUInt32LE(at + 1) + bytes.readUInt32LE(at + 5);

function writeEntry(bytes: Buffer, at: number, entry: Entry, flags: number): number {
  const { key, value, leaseId } = entry;
  bytes[at] = flags | (leaseId === undefined ? 0 : hasLease) | (entry.isDamaged === true ? isDamaged : 0);
  bytes.writeUInt32LE(bytes.write(key, at + headBytes), at + 1);
  bytes.writeUInt32LE(value.length, at + 5);
  bytes.writeDoubleLE(entry.createRevision, at + 9);
  bytes.writeDoubleLE(entry.modRevision, at + 17);
  bytes.writeDoubleLE(entry.version, at + 25);
  bytes.writeBigInt64LE(leaseId ?? 0n, at + 33);
  const end = endOf(bytes, at);
  bytes.set(value, end - value.length);
  return end;
}

function readEntry(bytes: Buffer, at: number): Entry {
  const flags = bytes[at]!;
  const keyAt = at + headBytes;
  const valueAt = keyAt + bytes.readUInt32LE(at + 1);
  return {
    key: bytes.toString('utf8', keyAt, valueAt),
    value: new Uint8Array(bytes.subarray(valueAt, endOf(bytes, at))),
    createRevision: bytes.readDoubleLE(at + 9),
    modRevision: bytes.readDoubleLE(at + 17),
    version: bytes.readDoubleLE(at + 25),
    ...((flags & hasLease) !== 0 && { leaseId: bytes.readBigInt64LE(at + 33) }),
    ...((flags & isDamaged) !== 0 && { isDamaged: true as const }),
  };
}
