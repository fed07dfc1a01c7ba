import { chmodSync, closeSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { open, type Database, type RootDatabase, type Transaction } from 'lmdb';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { privateFileMode } from '../../directory/private-files.ts';
import { StorageError } from '../../storage.ts';
import { readMark } from './check-file.ts';
import { pageBytes } from './page-walk.ts';
import type { TablesMark } from './tables-mark.ts';
import type { Durability } from './durability.ts';

export type Bytes = Database<Buffer, Buffer>;

/** The two pages from which everything else is found. */
const metaPages = 2;
/** Below this the disk counts as full. */
const freeBytesMin = 1024 * 1024;

/**
 * The tables of one LMDB file: `head` and `log`, see `record.ts`; `leases`; `leased`, which has a lease's number and a
 * key for each attached key; `meta` (format, compacted revision, alarms).
 */
export class LmdbFile {
  readonly head: Bytes;
  readonly log: Bytes;
  readonly leases: Bytes;
  readonly leased: Bytes;
  readonly meta: Bytes;
  readonly #path: string;
  /** Of the file itself, whatever its name is now. */
  readonly #descriptor: number;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #readers = new Set<{ end(): void }>();
  #isRetired = false;
  #closing: Promise<void> | undefined;

  constructor(path: string, durability: Durability, access: 'read' | 'write' = 'write') {
    this.#path = path;
    this.#root = openFile(path, durability, access);
    this.#descriptor = openSync(path, 'r');
    try {
      this.head = this.#table('head');
      this.log = this.#table('log');
      this.leases = this.#table('leases');
      this.leased = this.#table('leased');
      this.meta = this.#table('meta');
    } catch (failure) {
      this.closeAtOnce();
      throw failure;
    }
  }

  /** Stores everything that `write` puts, or throws and stores nothing. */
  async together(write: () => void): Promise<void> {
    try {
      await this.#root.batch(write);
    } catch (failure) {
      // lmdb-js reports the cause by a promise beside the error, which must not go unhandled.
      const { commitError } = failure as { commitError?: Promise<never> };
      throw this.#inPlainWords((await commitError?.catch((reason: unknown) => reason)) ?? failure);
    }
  }

  /**
   * Otherwise LMDB would try to write and print an error to standard error.
   * @throws Error when neither the disk nor the file has this many bytes available
   */
  mustHaveRoom(bytes: number): void {
    if (freeBytesOf(this.#path) >= bytes + freeBytesMin) return;
    const { totalBytes, usedBytes } = this.size();
    if (totalBytes - usedBytes < 2 * bytes) throw new Error('no space left on device');
  }

  /** The same, durable on return: blocks this process meanwhile. */
  togetherAtOnce(write: () => void): void {
    try {
      this.#root.transactionSync(write);
    } catch (failure) {
      throw this.#inPlainWords(failure);
    }
  }

  /** Copies the file without its unused pages, as it was when the copy began. */
  async copyTo(path: string): Promise<void> {
    try {
      await this.#root.backup(path, true);
      chmodSync(path, privateFileMode);
    } catch (failure) {
      throw this.#inPlainWords(failure);
    }
  }

  /** A view of the current content, unaffected by later writes, until `end` is called or the file is closed. */
  read(onEnd: () => void): { readonly transaction: Transaction; end(): void } {
    const transaction = this.#root.useReadTransaction();
    const reader = {
      transaction,
      end: () => {
        if (!this.#readers.delete(reader)) return;
        transaction.done();
        onEnd();
        if (this.#isRetired && this.#readers.size === 0) void this.close();
      },
    };
    this.#readers.add(reader);
    return reader;
  }

  size(): { totalBytes: number; usedBytes: number } {
    const stats = this.#root.getStats() as Stats & { lastPageNumber: number; free: Stats };
    const tables = [this.head, this.log, this.leases, this.leased, this.meta];
    const used = [stats, stats.free, ...tables.map((table) => table.getStats() as Stats)];
    return {
      totalBytes: (stats.lastPageNumber + 1) * pageBytes,
      usedBytes: (metaPages + used.reduce((pages, one) => pages + pagesOf(one), 0)) * pageBytes,
    };
  }

  /** Its newest meta page. Must be called while nothing is being written. */
  mark(): TablesMark {
    return readMark(this.#descriptor);
  }

  /** Whether any reader holds a view of it. */
  get isRead(): boolean {
    return this.#readers.size > 0;
  }

  /** Closes it immediately. Must be called while nothing is being written. Readers are cut off. */
  closeAtOnce(): void {
    // lmdb-js would wait some turns for writes, of which there are none, and readers would find it closed.
    (this.#root as unknown as { _endWrites: undefined })._endWrites = undefined;
    void this.close();
  }

  /** Closes it when nobody reads it any more. */
  retire(): void {
    this.#isRetired = true;
    if (this.#readers.size === 0) void this.close();
  }

  /** Cuts off remaining readers. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const reader of this.#readers) reader.end();
      closeSync(this.#descriptor);
      await this.#root.close();
    })();
    return this.#closing;
  }

  #table(name: string): Bytes {
    return this.#root.openDB({ ...binary, name });
  }

  /** LMDB says "Input/output error" when a page was only partly written, whatever the cause. */
  #inPlainWords(failure: unknown): unknown {
    if (freeBytesOf(this.#path) >= freeBytesMin) return failure;
    return new Error('no space left on device', { cause: failure });
  }
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

interface Stats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: Stats): number =>
  treeBranchPageCount + treeLeafPageCount + overflowPages;

const binary = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const;

/** For the data and for LMDB's own lock; lmdb-js supports the option, but its types lack it. */
const filesOfOwner = { permissionsMode: privateFileMode };

/** Each group is a batch by itself: waiting for the end of the turn, or for more, would only take time. */
const atOnce = { eventTurnBatching: false, txnStartThreshold: 1 };

function openFile(
  path: string,
  durability: Durability,
  access: 'read' | 'write',
): RootDatabase<Buffer, Buffer> {
  return open({
    ...binary,
    path,
    ...filesOfOwner,
    noSubdir: true,
    maxDbs: 8,
    pageSize: pageBytes,
    // One commit is synced before the next begins; by measurement this is as fast as overlapping them, since our own
    // groups already collect what arrives meanwhile.
    overlappingSync: false,
    ...atOnce,
    noSync: durability === 'relaxed',
    readOnly: access === 'read',
  }) as RootDatabase<Buffer, Buffer>;
}

/** Translates LMDB's own errors about its file. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const message = messageOf(cause);
    const kind = failed.test(message) ? 'unavailable' : 'corrupt';
    throw new StorageError(kind, `the database cannot be read: ${message}`, { cause });
  }
}

/**
 * Errors that don't mean a damaged file: the disk failed, LMDB after a failed write, or a file that is being reopened.
 */
const failed = /MDB_PANIC|input\/output|closed database/i;
