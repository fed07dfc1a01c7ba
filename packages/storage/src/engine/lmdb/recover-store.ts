/**
 * Makes a store from everything readable of a damaged one: entries and leases with valid checksums, then the log up to
 * the first gap. History is dropped, and revisions skip far enough ahead that clients read again instead of taking new
 * revisions for lost ones. LMDB is not used, since it may crash on such files.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import { StorageError, type Entry, type LeaseId, type Revision } from '../../storage.ts';
import { readWhatIsWhole } from '../log/log-file.ts';
import { logPathsOf } from '../log/log-paths.ts';
import { changedLeases } from '../log/logged-view.ts';
import { overlayOf } from '../log/replay.ts';
import type { Overlay } from '../log/overlay.ts';
import type { StoredLease } from '../table.ts';
import { walkTolerantly } from './check-file.ts';
import { lockDirectory } from '../../directory/directory-lock.ts';
import { dataFileOf, superblockFileOf } from './file-names.ts';
import type { FileFiller } from './fill-file.ts';
import { decodeLease } from './lease-record.ts';
import {
  damagedEntry,
  decodeEntry,
  decodeKey,
  hasRightChecksum,
  revisionOfLogKey,
  valueOf,
} from './record.ts';
import { placeStore } from './restore-snapshot.ts';
import { readSuperblock } from './superblock.ts';

/** No client has seen revisions this far beyond the recovered ones. */
const bumpRevisions = 1_000_000;
/** The maximum number of damages to list. */
const damagesMax = 100;

export interface Recovered {
  readonly revision: Revision;
  readonly entries: number;
  /** The damage that was found, one line each; at most 100. */
  readonly damages: readonly string[];
  /** Where the original files are now. */
  readonly kept: string;
}

/**
 * @throws StorageError 'locked' | 'unavailable', and 'corrupt' when nothing is recoverable
 */
export async function recoverStore(directory: string, clock: Clock): Promise<Recovered> {
  const lock = lockDirectory(directory);
  try {
    const salvage = new Salvage();
    salvage.readTables(directory);
    salvage.readLog(directory);
    const kept = putAside(directory, clock);
    const { entries, leases, damages } = salvage;
    const revision = salvage.revision + bumpRevisions;
    await placeStore(directory, async (filler, store) => fill(filler, store, entries, leases, revision));
    return { revision, entries: entries.size, damages, kept };
  } finally {
    lock.release();
  }
}

function fill(
  filler: FileFiller,
  store: string,
  entries: ReadonlyMap<string, Entry>,
  leases: ReadonlyMap<LeaseId, StoredLease>,
  revision: Revision,
): void {
  for (const lease of leases.values()) filler.addLease(lease);
  for (const { leaseId, ...entry } of entries.values()) {
    filler.addEntry(leaseId !== undefined && leases.has(leaseId) ? { ...entry, leaseId } : entry);
  }
  filler.finish(store, revision);
}

/** Moves the files aside, so that nothing is lost by trying. */
function putAside(directory: string, clock: Clock): string {
  const kept = join(directory, `damaged-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(kept, { mode: 0o700 });
  for (const path of [dataFileOf(directory), superblockFileOf(directory), ...logPathsOf(directory)]) {
    try {
      renameSync(path, join(kept, basename(path)));
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure;
    }
  }
  return kept;
}

class Salvage {
  readonly entries = new Map<string, Entry>();
  leases: ReadonlyMap<LeaseId, StoredLease> = new Map();
  readonly damages: string[] = [];
  revision: Revision = 1;
  #logged = 0;
  #storeId: Buffer | undefined;

  readTables(directory: string): void {
    const leases = new Map<LeaseId, StoredLease>();
    const tables: Readonly<Record<string, (key: Buffer, value: Buffer) => void>> = {
      head: (key, value) => this.#takeEntry(key, value),
      log: (key) => this.#sawRevision(revisionOfLogKey(key)),
      leases: (key, value) => void leases.set(key.readBigInt64BE(), decodeLease(key, value)),
      meta: (key, value) => this.#takeMeta(key.toString(), key, value),
    };
    walkTolerantly(
      dataFileOf(directory),
      (table, key, value) => this.#trying(() => tables[table]?.(key, value)),
      (damage) => this.#report(damage),
    );
    this.leases = leases;
  }

  /** Applies the log to the tables, as far as its records are consecutive. */
  readLog(directory: string): void {
    const storeId = this.#storeId ?? this.#trying(() => readSuperblock(directory)?.storeId);
    if (storeId === undefined) return;
    const records = logPathsOf(directory)
      .flatMap((path) => readWhatIsWhole(path, storeId))
      .filter(({ sequence }) => sequence > this.#logged)
      .sort((a, b) => a.sequence - b.sequence);
    const gap = records.findIndex(({ sequence }, index) => sequence !== this.#logged + 1 + index);
    const whole = gap < 0 ? records : records.slice(0, gap);
    if (gap >= 0) this.#report(`record ${this.#logged + 1 + gap} of the log is missing`);
    const overlay = this.#trying(() => overlayOf((key) => this.entries.get(key), whole, this.revision));
    if (overlay !== undefined) this.#takeLogged(overlay);
  }

  #takeLogged(overlay: Overlay): void {
    for (const [key, entry] of overlay.changes()) {
      if (entry === undefined) this.entries.delete(key);
      else this.entries.set(key, entry);
    }
    const leases = changedLeases([...this.leases.values()], overlay.leaseChanges());
    this.leases = new Map(leases.map((lease) => [lease.id, lease]));
    this.#sawRevision(overlay.revision ?? 0);
  }

  #takeEntry(keyBytes: Buffer, bytes: Buffer): void {
    const key = decodeKey(keyBytes);
    // The walk reuses its buffers.
    const entry = decodeEntry(key, keyBytes, Buffer.from(bytes));
    if (entry.isDamaged) return this.#report(damagedEntry(key));
    this.entries.set(key, entry);
    this.#sawRevision(entry.modRevision);
  }

  #takeMeta(row: string, key: Buffer, bytes: Buffer): void {
    if (row === 'format') return;
    if (!hasRightChecksum(key, bytes)) return this.#report(`row ${row} of the table meta is damaged`);
    const text = valueOf(bytes).toString();
    if (row === 'logged') this.#logged = Number(text);
    else if (row === 'compacted') this.#sawRevision(Number(text));
    else if (row === 'store') this.#storeId = Buffer.from(text, 'hex');
  }

  #sawRevision(revision: Revision): void {
    this.revision = Math.max(this.revision, revision);
  }

  #trying<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (failure) {
      this.#report(failure instanceof StorageError ? failure.message : String(failure));
      return undefined;
    }
  }

  #report(damage: string): void {
    if (this.damages.length < damagesMax) this.damages.push(damage);
  }
}
