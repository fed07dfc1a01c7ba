/**
 * Checks everything in a data directory that no process uses: the pages of the file, the checksum of every entry and
 * record, and their consistency.
 */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Entry, LeaseId, Revision } from '../../storage.ts';
import { foundOverlay } from '../log/found-overlay.ts';
import { loggedCounts, type StoreCounts } from '../log/logged-view.ts';
import type { StoredLease } from '../table.ts';
import { lockDirectory } from '../../directory/directory-lock.ts';
import { dataFileOf } from './file-names.ts';
import { inspectDirectory } from './inspect-directory.ts';
import { decodeLease, decodeLeasedKey } from './lease-record.ts';
import { LmdbFile, type Bytes } from './lmdb-file.ts';
import { metaOf } from './meta.ts';
import {
  damagedEntry,
  damagedRecord,
  decodeEntry,
  decodeKey,
  decodeLogRecord,
  formatVersion,
  hasRightChecksum,
  revisionOfLogKey,
} from './record.ts';
import type { Superblock } from './superblock.ts';
import { newestRevision, stateOfFile } from './upgrade.ts';

/** Further problems are counted but not listed. */
const problemsMax = 100;

/** Counts of the tables, with the log over them. */
export interface CheckResult extends StoreCounts {
  /** One line each; at most 100. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

/**
 * @throws StorageError 'locked' | 'corrupt' | 'unavailable' when it can't even be opened
 */
export async function checkStore(directory: string): Promise<CheckResult> {
  const lock = lockDirectory(directory);
  try {
    const { superblock, hasTables } = inspectDirectory(directory);
    // A process was killed while it created the store; the next one completes it.
    if (!hasTables) return { entries: 0, records: 0, leases: 0, problems: [], problemCount: 0 };
    const file = new LmdbFile(dataFileOf(directory), 'sync');
    try {
      return new StoreCheck(directory, file, superblock).run();
    } finally {
      await file.close();
    }
  } finally {
    lock.release();
  }
}

class StoreCheck {
  readonly #directory: string;
  readonly #file: LmdbFile;
  readonly #superblock: Superblock | undefined;
  readonly #problems: string[] = [];
  #problemCount = 0;
  readonly #revision: Revision;
  readonly #compactedRevision: Revision;
  /** The modRevision of each entry; 0 for a missing one. */
  readonly #newest = new Map<string, Revision>();
  readonly #leaseOf = new Map<string, LeaseId>();

  constructor(directory: string, file: LmdbFile, superblock: Superblock | undefined) {
    this.#directory = directory;
    this.#file = file;
    this.#superblock = superblock;
    this.#revision = newestRevision(file);
    this.#compactedRevision = metaOf(file.meta).compactedRevision();
  }

  run(): CheckResult {
    const state = stateOfFile(this.#directory, this.#file, this.#superblock);
    // A process was killed while it created the store; the next one completes it.
    if (state === 'new') return this.#result(0, 0, 0);
    if (state !== 'present') {
      const format = metaOf(this.#file.meta).format();
      this.#report(
        `the format is ${format}, not ${formatVersion}: start a server on it once, and check then`,
      );
      return this.#result(0, 0, 0);
    }
    // Checks each row, whether or not it is needed here.
    metaOf(this.#file.meta).mustBeWhole();
    if (this.#compactedRevision > this.#revision) {
      this.#report(`compacted at ${this.#compactedRevision}, but the newest revision is ${this.#revision}`);
    }
    const entries = this.#checkEntries();
    const records = this.#checkRecords();
    const leases = this.#checkLeases();
    const counts = this.#withLog({ entries, records }, leases);
    return this.#result(counts.entries, counts.records, counts.leases);
  }

  /** The log continues from the tables' last record, record by record. */
  #withLog(tables: Pick<StoreCounts, 'entries' | 'records'>, leases: readonly StoredLease[]): StoreCounts {
    try {
      return loggedCounts(tables, leases, foundOverlay(this.#directory, this.#file, this.#superblock));
    } catch (failure) {
      this.#report(messageOf(failure));
      return { ...tables, leases: leases.length };
    }
  }

  #checkEntries(): number {
    return this.#walk(this.#file.head, 'entry', (key, bytes) => {
      const entry = decodeEntry(decodeKey(key), key, bytes);
      this.#newest.set(entry.key, entry.modRevision);
      if (entry.leaseId !== undefined) this.#leaseOf.set(entry.key, entry.leaseId);
      this.#checkNumbers(entry, this.#revision);
    });
  }

  /**
   * Newest first: a put's value is either the current one or in the next record of its key, and every revision since
   * the compaction has its records.
   */
  #checkRecords(): number {
    const later = new Map<string, Revision>();
    let expected = this.#revision;
    const count = this.#walk(
      this.#file.log,
      'record',
      (logKey, bytes) => {
        const revision = revisionOfLogKey(logKey);
        const { key, type, previous } = decodeLogRecord(logKey, bytes);
        if (revision < expected) this.#report(`the log has nothing at revision ${expected}`);
        expected = Math.min(expected, revision - 1);
        const reported = later.get(key) ?? this.#newest.get(key) ?? 0;
        if (reported !== (type === 'put' ? revision : 0)) {
          this.#report(
            `${key} was written at revision ${revision}, but what follows is of revision ${reported}`,
          );
        }
        later.set(key, previous?.modRevision ?? 0);
        if (previous !== undefined) this.#checkNumbers(previous, revision);
      },
      true,
    );
    const oldest = Math.max(this.#compactedRevision, 2);
    if (expected >= oldest && this.#revision > 1 && count > 0) {
      this.#report(`the log begins at revision ${expected + 1}, not at ${oldest}`);
    }
    return count;
  }

  #checkLeases(): readonly StoredLease[] {
    const all = [...this.#file.leases.getRange({})].map(({ key, value }) => decodeLease(key, value));
    const leases = new Set(all.map(({ id }) => id));
    for (const row of this.#file.leased.getRange({})) {
      const { id, key } = decodeLeasedKey(row.key, row.value);
      if (this.#leaseOf.get(key) !== id) this.#report(`lease ${id} names ${key}, which is not on it`);
      else this.#leaseOf.delete(key);
      if (!leases.has(id)) this.#report(`${key} is on lease ${id}, which is not there`);
    }
    for (const [key, id] of this.#leaseOf) this.#report(`${key} is on lease ${id}, which does not name it`);
    return all;
  }

  #checkNumbers({ key, createRevision, modRevision, version }: Entry, revisionMax: Revision): void {
    const isRight =
      createRevision >= 2 && createRevision <= modRevision && modRevision <= revisionMax && version >= 1;
    if (!isRight) {
      this.#report(
        `${key} has impossible revisions: create ${createRevision}, mod ${modRevision}, version ${version}`,
      );
    }
  }

  #walk(
    table: Bytes,
    what: 'entry' | 'record',
    visit: (key: Buffer, bytes: Buffer) => void,
    reverse = false,
  ): number {
    let count = 0;
    for (const { key, value } of table.getRange({ reverse })) {
      count++;
      if (hasRightChecksum(key, value)) visit(key, value);
      else
        this.#report(what === 'entry' ? damagedEntry(decodeKey(key)) : damagedRecord(revisionOfLogKey(key)));
    }
    return count;
  }

  #report(problem: string): void {
    this.#problemCount++;
    if (this.#problems.length < problemsMax) this.#problems.push(problem);
  }

  #result(entries: number, records: number, leases: number): CheckResult {
    return { entries, records, leases, problems: this.#problems, problemCount: this.#problemCount };
  }
}
