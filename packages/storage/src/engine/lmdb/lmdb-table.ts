import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { open } from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { StorageError } from '../../storage.ts';
import type { Entry, Event, EventBatch, KeyRange, LeaseId, Revision } from '../../storage.ts';
import type { Lease } from '../engine.ts';
import type { CommitGroup, LeaseChange, Table } from '../table.ts';
import { checkFile } from './check-file.ts';
import { lockDirectory } from './directory-lock.ts';
import {
  decodeEntry,
  decodeKey,
  decodeLogRecord,
  encodeEntry,
  encodeKey,
  encodeLogKey,
  encodeLogRecord,
  keyOfLogRecord,
  revisionOfLogKey,
} from './record.ts';

/**
 * 'sync': a write is acknowledged when the disk has it. 'relaxed': when the operating system has it; it
 * survives the end of this process, but the last writes before a power loss may be gone, or the file with
 * them.
 */
export type Durability = 'sync' | 'relaxed';

/** Of the layout that `record.ts` describes. Older layouts are to be migrated, newer ones refused. */
const formatVersion = 1;
const fileName = 'data.mdb';
/** LMDB's bound for pages of 4 KiB is 1,978; the keys of `leased` have eight bytes more. */
const keyBytesMax = 1970;
/** Records dropped in one transaction by a compaction, so that writes are not held up. */
const compactRecordsMax = 10_000;

type Bytes = Database<Buffer, Buffer>;

/**
 * The tables of one LMDB file: `head` and `log`, see `record.ts`; `leases`; `leased`, which holds a lease's
 * number and a key for each key on a lease; `meta` (format and compacted revision).
 */
export class LmdbTable implements Table {
  readonly keyBytesMax = keyBytesMax;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #head: Bytes;
  readonly #log: Bytes;
  readonly #leases: Bytes;
  readonly #leased: Bytes;
  readonly #meta: Bytes;
  readonly #release: () => void;
  #compactedRevision: Revision;

  /** @throws StorageError 'locked' | 'corrupt' | 'unavailable', each with one line that says what to do */
  constructor(directory: string, durability: Durability) {
    makeDirectory(directory);
    const lock = lockDirectory(directory);
    this.#release = () => lock.release();
    try {
      const path = join(directory, fileName);
      checkFile(path);
      this.#root = openFile(path, durability);
      this.#head = this.#root.openDB({ ...binary, name: 'head' });
      this.#log = this.#root.openDB({ ...binary, name: 'log' });
      this.#leases = this.#root.openDB({ ...binary, name: 'leases' });
      this.#leased = this.#root.openDB({ ...binary, name: 'leased' });
      this.#meta = this.#root.openDB({ ...binary, name: 'meta' });
      this.#checkFormat(path);
      this.#compactedRevision = Number(this.#meta.get(metaKeys.compacted)?.toString() ?? 0);
    } catch (failure) {
      lock.release();
      throw failure instanceof StorageError ? failure : asOpenFailure(directory, failure);
    }
  }

  get opened(): Table['opened'] {
    const leases = [...this.#leases.getRange({})].map(({ key, value }) => decodeLease(key, value));
    const leasedKeys = [...this.#leased.getKeys({})].map((key) => ({
      id: key.readBigInt64BE(0),
      key: decodeKey(key.subarray(leaseIdBytes)),
    }));
    return {
      revision: this.#newestRevision(),
      compactedRevision: this.#compactedRevision,
      leases,
      leasedKeys,
    };
  }

  get(key: string): Entry | undefined {
    if (key.length > keyBytesMax) return undefined;
    const bytes = reading(() => this.#head.get(encodeKey(key)));
    return bytes && decodeEntry(key, bytes);
  }

  scan(range: KeyRange, visit: (entry: Entry) => boolean | void): void {
    const entries = this.#head.getRange(boundsOf(range))[Symbol.iterator]();
    for (let next = reading(() => entries.next()); !next.done; next = reading(() => entries.next())) {
      if (visit(decodeEntry(decodeKey(next.value.key), next.value.value)) !== false) continue;
      entries.return?.();
      return;
    }
  }

  count(range: KeyRange): number {
    return reading(() => this.#head.getKeysCount(boundsOf(range)));
  }

  /** Walks the log backwards from its end: what a put wrote is what the record after it replaced. */
  history({ start, end }: KeyRange, after: Revision, until: Revision): EventBatch[] {
    const later = new Map<string, Entry | undefined>();
    const batches: { revision: Revision; events: Event[] }[] = [];
    const backwards = {
      start: encodeLogKey(lastRevision, 0),
      end: encodeLogKey(after, lastIndex),
      reverse: true,
    };
    for (const { key: logKey, value } of this.#log.getRange(backwards)) {
      const key = keyOfLogRecord(value);
      if (key < start || key >= end) continue;
      const { revision, type, previous } = decodeLogRecord(revisionOfLogKey(logKey), value);
      const written = later.has(key) ? later.get(key) : this.get(key);
      later.set(key, previous);
      if (revision > until) continue;
      const entry = type === 'put' ? written! : { ...previous!, modRevision: revision };
      const event: Event = { type, entry, ...(previous && { previous }) };
      const batch = batches.at(-1);
      if (batch?.revision === revision) batch.events.push(event);
      else batches.push({ revision, events: [event] });
    }
    for (const batch of batches) batch.events.reverse();
    return batches.reverse();
  }

  async commit({ commits, leases }: CommitGroup): Promise<void> {
    await this.#together(() => {
      for (const { revision, events } of commits) {
        events.forEach((event, index) => this.#write(event, revision, index));
      }
      for (const change of leases) this.#writeLease(change);
    });
  }

  async compact(revision: Revision): Promise<void> {
    this.#compactedRevision = revision;
    await this.#meta.put(metaKeys.compacted, Buffer.from(String(revision)));
    const end = encodeLogKey(revision, 0);
    for (;;) {
      const keys = [...this.#log.getKeys({ end, limit: compactRecordsMax })];
      await this.#together(() => {
        for (const key of keys) this.#log.remove(key);
      });
      if (keys.length < compactRecordsMax) return;
    }
  }

  size(): { totalBytes: number; usedBytes: number } {
    const stats = this.#root.getStats() as {
      pageSize: number;
      lastPageNumber: number;
      free?: { entryCount: number };
    };
    const totalBytes = (stats.lastPageNumber + 1) * stats.pageSize;
    return { totalBytes, usedBytes: totalBytes };
  }

  async close(): Promise<void> {
    await this.#root.close();
    this.#release();
  }

  /** Stores all that `write` puts, or throws and stores nothing. */
  async #together(write: () => void): Promise<void> {
    try {
      await this.#root.batch(write);
    } catch (failure) {
      // lmdb-js tells what went wrong by a promise beside the error, which must not go unhandled.
      const { commitError } = failure as { commitError?: Promise<never> };
      throw (await commitError?.catch((reason: unknown) => reason)) ?? failure;
    }
  }

  #write({ type, entry, previous }: Event, revision: Revision, index: number): void {
    const key = encodeKey(entry.key);
    if (type === 'put') this.#head.put(key, encodeEntry(entry));
    else this.#head.remove(key);
    this.#log.put(encodeLogKey(revision, index), encodeLogRecord(type, entry.key, previous));
    const leaseId = type === 'put' ? entry.leaseId : undefined;
    if (previous?.leaseId === leaseId) return;
    if (previous?.leaseId !== undefined) this.#leased.remove(leaseKey(previous.leaseId, key));
    if (leaseId !== undefined) this.#leased.put(leaseKey(leaseId, key), nothing);
  }

  #writeLease(change: LeaseChange): void {
    if (change.kind === 'set') this.#leases.put(leaseKey(change.lease.id), encodeLease(change.lease));
    else this.#leases.remove(leaseKey(change.id));
  }

  #newestRevision(): Revision {
    for (const key of this.#log.getKeys({ reverse: true, limit: 1 })) return revisionOfLogKey(key);
    return Math.max(1, this.#compactedRevision);
  }

  #checkFormat(path: string): void {
    const stored = this.#meta.get(metaKeys.format)?.toString();
    if (stored === String(formatVersion)) return;
    if (stored === undefined && this.#head.getKeysCount({ limit: 1 }) === 0) {
      this.#meta.putSync(metaKeys.format, Buffer.from(String(formatVersion)));
      return;
    }
    const problem = stored === undefined ? 'it is not a database of this program' : `its format is ${stored}`;
    throw new StorageError(
      'corrupt',
      `${path} cannot be used: ${problem}; this version reads format ${formatVersion}`,
    );
  }
}

/** What a file may be refused for though it is whole. */
const refusals = /permission|read-only|no space|too many open|input\/output/i;

function asOpenFailure(directory: string, cause: unknown): StorageError {
  const reason = (cause as Error).message;
  const kind = refusals.test(reason) ? 'unavailable' : 'corrupt';
  return new StorageError(kind, `data directory ${directory} cannot be opened: ${reason}`, { cause });
}

const binary = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const;
const metaKeys = { format: Buffer.from('format'), compacted: Buffer.from('compacted') };
const nothing = Buffer.alloc(0);
const leaseIdBytes = 8;
const lastRevision = 2 ** 48 - 1;
const lastIndex = 2 ** 32 - 1;

function makeDirectory(directory: string): void {
  try {
    makeLevel(resolve(directory));
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new StorageError('unavailable', `cannot make data directory ${directory}: ${reason}`, { cause });
  }
}

/** Level by level: Node's own recursion never ends in file systems that deny what they contain, such as /proc. */
function makeLevel(directory: string): void {
  if (existsSync(directory)) return;
  makeLevel(dirname(directory));
  // Secrets are in it: only its owner may read it, as with etcd's.
  mkdirSync(directory, { mode: 0o700 });
}

/** LMDB's own complaints about what it finds in its file. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new StorageError('corrupt', `the database cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Each group is one batch by itself: waiting for the end of the turn, or for more, would only cost time. */
const atOnce = { eventTurnBatching: false, txnStartThreshold: 1 };

function openFile(path: string, durability: Durability): RootDatabase<Buffer, Buffer> {
  return open({
    ...binary,
    path,
    noSubdir: true,
    maxDbs: 8,
    // One commit is synced before the next begins; measured, this is as fast as overlapping them, since our
    // own groups already collect what comes in meanwhile.
    overlappingSync: false,
    ...atOnce,
    noSync: durability === 'relaxed',
  }) as RootDatabase<Buffer, Buffer>;
}

function boundsOf({ start, end }: KeyRange): { start?: Buffer; end?: Buffer } {
  return {
    ...(start === '' ? undefined : { start: encodeKey(start) }),
    // Beyond all bytes there is no key to name.
    ...(end.charCodeAt(0) > 0xff ? undefined : { end: encodeKey(end) }),
  };
}

function leaseKey(id: LeaseId, key: Buffer = nothing): Buffer {
  const bytes = Buffer.alloc(leaseIdBytes + key.length);
  bytes.writeBigInt64BE(id);
  bytes.set(key, leaseIdBytes);
  return bytes;
}

function encodeLease({ ttlSeconds, expiresAtMs }: Lease): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeDoubleBE(ttlSeconds, 0);
  bytes.writeDoubleBE(expiresAtMs, 8);
  return bytes;
}

const decodeLease = (key: Buffer, value: Buffer): Lease => ({
  id: key.readBigInt64BE(0),
  ttlSeconds: value.readDoubleBE(0),
  expiresAtMs: value.readDoubleBE(8),
});
