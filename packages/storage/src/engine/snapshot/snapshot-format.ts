/**
 * A store as a stream of bytes: independent of the engine and of the layout of its file.
 *
 * `COXSNAP1`, then frames: length of the head (4 bytes, big-endian), length of the value (4 bytes), the head (JSON),
 * the value (raw). The first frame has the revision and the compacted revision, then follow leases, entries in
 * ascending order of keys, records oldest first; the last frame has their counts, and is followed by the CRC-32 of
 * everything before it.
 */
import { StorageError, type Entry, type Revision } from '../../storage.ts';
import { crc32 } from '../crc32.ts';
import type { LogRecord, StoredLease, TableView } from '../table.ts';

const magic = new TextEncoder().encode('COXSNAP1');
const frameHeadBytes = 8;
/** The approximate size of a chunk. */
const chunkBytes = 256 * 1024;
const revisionMax = 2 ** 48 - 1;
/** A frame with a larger length is corrupt. */
const frameBytesMax = 64 * 1024 * 1024;

/** key, createRevision, modRevision, version, lease. */
type EntryHead = readonly [string, Revision, Revision, number, string];

type Head =
  | { readonly is: 'store'; readonly revision: Revision; readonly compactedRevision: Revision }
  | {
      readonly is: 'lease';
      readonly id: string;
      readonly ttlSeconds: number;
      readonly expiresAtUnixMs: number;
    }
  | { readonly is: 'entry'; readonly entry: EntryHead }
  | {
      readonly is: 'record';
      readonly revision: Revision;
      readonly key: string;
      readonly type: LogRecord['type'];
      readonly previous?: EntryHead;
    }
  | { readonly is: 'end'; readonly frames: number };

export type SnapshotItem =
  | { readonly kind: 'store'; readonly revision: Revision; readonly compactedRevision: Revision }
  | { readonly kind: 'lease'; readonly lease: StoredLease }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'record'; readonly record: LogRecord };

/** Releases `view` at its end, or when the reader stops early. */
export async function* encodeSnapshot(view: TableView): AsyncGenerator<Uint8Array, void, void> {
  try {
    let checksum = 0;
    let waiting: Uint8Array[] = [magic];
    let waitingBytes = magic.length;
    for (const frame of framesOf(view)) {
      waiting.push(frame);
      waitingBytes += frame.length;
      if (waitingBytes < chunkBytes) continue;
      const chunk = joined(waiting, waitingBytes);
      checksum = crc32(chunk, checksum);
      waiting = [];
      waitingBytes = 0;
      yield chunk;
    }
    const last = joined(waiting, waitingBytes);
    const sum = new Uint8Array(4);
    new DataView(sum.buffer).setUint32(0, crc32(last, checksum));
    yield joined([last, sum], last.length + sum.length);
  } finally {
    view.release();
  }
}

/** @throws StorageError 'corrupt' when the stream is not a snapshot, is truncated or damaged */
export async function* decodeSnapshot(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SnapshotItem, void, void> {
  const reader = new SnapshotReader(chunks);
  try {
    yield* decodeItems(reader);
  } catch (failure) {
    // Before the checksum is verified, the input may be anything.
    throw failure instanceof StorageError ? failure : corrupt('it is damaged');
  }
}

async function* decodeItems(reader: SnapshotReader): AsyncGenerator<SnapshotItem, void, void> {
  if (new TextDecoder().decode(await reader.take(magic.length)) !== 'COXSNAP1') {
    throw corrupt(
      'it is not a snapshot of this program (that of an etcd is restored with "etcdutl snapshot restore", a backup with "coxswain restore")',
    );
  }
  for (let frames = 0; ; frames++) {
    const lengths = view(await reader.take(frameHeadBytes));
    const [headBytes, valueBytes] = [lengths.getUint32(0), lengths.getUint32(4)];
    if (headBytes + valueBytes > frameBytesMax) throw corrupt('it is damaged');
    const head = parse(await reader.take(headBytes));
    const value = await reader.take(valueBytes);
    if (head.is === 'end') {
      if (head.frames !== frames) throw corrupt('it is damaged');
      return await reader.checkSum();
    }
    yield itemOf(head, value);
  }
}

const damagedValue = (key: string): StorageError =>
  new StorageError(
    'corrupt',
    `the stored value of ${key} is damaged: overwrite or delete it, or leave it out with "coxswain storage recover DIR --accept-data-loss"`,
  );

function* framesOf(view: TableView): Generator<Uint8Array, void, void> {
  const { revision, compactedRevision, leases } = view;
  let frames = 1;
  yield frame({ is: 'store', revision, compactedRevision });
  for (const { id, ttlSeconds, expiresAtUnixMs } of leases) {
    frames++;
    yield frame({ is: 'lease', id: String(id), ttlSeconds, expiresAtUnixMs });
  }
  for (const entry of view.entries()) {
    frames++;
    // A backup with a valid checksum must not contain it.
    if (entry.isDamaged) throw damagedValue(entry.key);
    yield frame({ is: 'entry', entry: headOf(entry) }, entry.value);
  }
  for (const { previous, ...record } of view.records()) {
    frames++;
    const before = previous && { previous: headOf(previous) };
    yield frame({ is: 'record', ...record, ...before }, previous?.value);
  }
  yield frame({ is: 'end', frames });
}

const headOf = ({ key, createRevision, modRevision, version, leaseId }: Entry): EntryHead => [
  key,
  createRevision,
  modRevision,
  version,
  String(leaseId ?? 0n),
];

function frame(head: Head, value: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(frameHeadBytes + text.length + value.length);
  view(bytes).setUint32(0, text.length);
  view(bytes).setUint32(4, value.length);
  bytes.set(text, frameHeadBytes);
  bytes.set(value, frameHeadBytes + text.length);
  return bytes;
}

function parse(bytes: Uint8Array): Head {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Head;
  } catch {
    throw corrupt('it is damaged');
  }
}

function itemOf(head: Exclude<Head, { is: 'end' }>, value: Uint8Array): SnapshotItem {
  switch (head.is) {
    case 'store':
      [head.revision, head.compactedRevision].forEach(mustBeRevision);
      return { kind: 'store', revision: head.revision, compactedRevision: head.compactedRevision };
    case 'lease': {
      const { id, ttlSeconds, expiresAtUnixMs } = head;
      return { kind: 'lease', lease: { id: BigInt(id), ttlSeconds, expiresAtUnixMs } };
    }
    case 'entry':
      return { kind: 'entry', entry: entryOf(head.entry, value) };
    case 'record': {
      const { revision, key, type, previous } = head;
      mustBeRevision(revision);
      const before = previous && entryOf(previous, value);
      return { kind: 'record', record: { revision, key, type, previous: before } };
    }
    default:
      throw corrupt('it is damaged');
  }
}

function entryOf(head: EntryHead, value: Uint8Array): Entry {
  const [key, createRevision, modRevision, version, lease] = head;
  if (typeof key !== 'string') throw corrupt('it is damaged');
  [createRevision, modRevision, version].forEach(mustBeRevision);
  const leaseId = BigInt(lease);
  return { key, value, createRevision, modRevision, version, ...(leaseId !== 0n && { leaseId }) };
}

function mustBeRevision(revision: unknown): void {
  if (!Number.isSafeInteger(revision) || (revision as number) < 0 || (revision as number) > revisionMax)
    throw corrupt('it is damaged');
}

/** Reads the requested number of bytes and updates their checksum. */
class SnapshotReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #checksum = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Uint8Array> {
    const bytes = await this.#read(length);
    this.#checksum = crc32(bytes, this.#checksum);
    return bytes;
  }

  async checkSum(): Promise<void> {
    const wanted = this.#checksum;
    if (view(await this.#read(4)).getUint32(0) !== wanted) throw corrupt('its checksum is wrong');
    if (this.#rest.length > 0 || (await this.#chunks.next()).done !== true)
      throw corrupt('something comes after its end');
  }

  async #read(length: number): Promise<Uint8Array> {
    const parts = [this.#rest];
    let held = this.#rest.length;
    while (held < length) {
      const next = await this.#chunks.next();
      if (next.done === true) throw corrupt('it is cut off');
      parts.push(next.value);
      held += next.value.length;
    }
    const whole = parts.length === 1 ? this.#rest : joined(parts, held);
    this.#rest = whole.subarray(length);
    return whole.slice(0, length);
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const corrupt = (what: string): StorageError =>
  new StorageError('corrupt', `the snapshot cannot be used: ${what}`);
