import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { StorageError, type Entry, type EventBatch, type KeyRange, type Revision } from '../../storage.ts';
import type { Alarm, CommitGroup, LogRecord, Table, TableView } from '../table.ts';
import { gatherCommits } from '../snapshot/gather-commits.ts';
import type { BaseTable } from '../log/logged-table.ts';
import { Defragmentation, bytesOf } from './defragmentation.ts';
import { DiskProbe } from './disk-probe.ts';
import { dataFileOf, nextFileOf, putNextFileInPlace, removeNextFile } from './file-names.ts';
import { FileFiller } from './fill-file.ts';
import { decodeLease, decodeLeasedKey } from './lease-record.ts';
import { LmdbFile, reading } from './lmdb-file.ts';
import type { Durability } from './durability.ts';
import { viewFile } from './lmdb-view.ts';
import { inspectDirectory } from './inspect-directory.ts';
import { openDirectory } from './open-directory.ts';
import { metaOf } from './meta.ts';
import { SerialQueue } from './serial-queue.ts';
import {
  decodeEntry,
  decodeKey,
  decodeLogRecord,
  encodeKey,
  encodeLogKey,
  lastIndex,
  lastRevision,
} from './record.ts';
import type { OpeningProgress } from './opening-progress.ts';
import { removeLog } from '../log/log-paths.ts';
import { SuperblockFile } from './superblock.ts';
import { entryIn, newestRevision, stateOfFile, upgradeFile, upgradeInPlace } from './upgrade.ts';
import { writeGroup } from './write-group.ts';

/** LMDB's bound for pages of 4 KiB is 1,978; the keys of `leased` have eight bytes more. */
const keyBytesMax = 1970;
/**
 * What was read of the file counts as memory of this process (as resident pages of a mapping), though the system
 * may take it back: after so much the file is opened anew.
 */
const readBytesMax = 64 * 1024 * 1024;
/** Records dropped in one transaction by a compaction, so that writes are not held up. */
const compactRecordsMax = 10_000;

/**
 * The tables in a directory of this machine, behind the log (`log/logged-table.ts`). What lies how in their file:
 * `lmdb-file.ts`, `record.ts`.
 */
export class LmdbTable implements BaseTable {
  readonly keyBytesMax = keyBytesMax;
  readonly #directory: string;
  readonly #durability: Durability;
  readonly #release: () => void;
  readonly #probe: DiskProbe;
  readonly superblock: SuperblockFile;
  /** What changes the file, one after the other. */
  readonly #writes = new SerialQueue();
  /** Compaction and defragmentation: they take long, and not both at once. */
  readonly #upkeep = new SerialQueue();
  #file: LmdbFile;
  #defragmentation: Defragmentation | undefined;
  /** By a defragmentation. */
  #replaced: LmdbFile | undefined;
  /** A write has failed: LMDB may allow neither others nor reads before its file was opened anew. */
  #isDoubtful = false;
  /** Since the file was opened. */
  #readBytes = 0;
  #isGivingBack = false;
  #compactedRevision: Revision;

  /** @throws StorageError 'locked' | 'corrupt' | 'unavailable', each with one line that says what to do */
  constructor(
    directory: string,
    durability: Durability,
    clock: Clock,
    log: (line: string) => void = () => undefined,
    progress?: OpeningProgress,
  ) {
    this.#directory = directory;
    this.#durability = durability;
    this.#probe = new DiskProbe(directory, durability);
    const lock = openDirectory(directory);
    this.#release = () => lock.release();
    try {
      const opened = openTables(directory, durability, clock, log, progress);
      this.#file = opened.file;
      this.superblock = opened.superblock;
      this.superblock.noteTables(this.#file.mark());
      this.#compactedRevision = metaOf(this.#file.meta).compactedRevision();
    } catch (failure) {
      lock.release();
      throw failure instanceof StorageError ? failure : asOpenFailure(directory, failure);
    }
  }

  get opened(): Table['opened'] {
    const { leases, leased, meta } = this.#file;
    return {
      revision: newestRevision(this.#file),
      compactedRevision: this.#compactedRevision,
      leases: [...leases.getRange({})].map(({ key, value }) => decodeLease(key, value)),
      leasedKeys: [...leased.getRange({})].map(({ key, value }) => decodeLeasedKey(key, value)),
      alarms: metaOf(meta).alarms(),
    };
  }

  get revision(): Revision {
    return newestRevision(this.#file);
  }

  /** The record of the log up to which everything is here. */
  get logged(): number {
    return metaOf(this.#file.meta).logged();
  }

  get(key: string): Entry | undefined {
    if (key.length > keyBytesMax) return undefined;
    return entryIn(this.#file, key);
  }

  scan(range: KeyRange, visit: (entry: Entry) => boolean | void): void {
    const entries = this.#file.head.getRange(boundsOf(range))[Symbol.iterator]();
    for (let next = reading(() => entries.next()); !next.done; next = reading(() => entries.next())) {
      this.#readBytes += next.value.value.length;
      const { key, value } = next.value;
      if (visit(decodeEntry(decodeKey(key), key, value)) !== false) continue;
      entries.return?.();
      break;
    }
    this.#giveBackIfMuch();
  }

  count(range: KeyRange): number {
    return reading(() => this.#file.head.getKeysCount(boundsOf(range)));
  }

  history({ start, end }: KeyRange, after: Revision, until: Revision): EventBatch[] {
    const records: LogRecord[] = [];
    // Beyond `until` too: what a put wrote is what the record after it replaced.
    const rows = { start: encodeLogKey(after, lastIndex), end: encodeLogKey(lastRevision, lastIndex) };
    for (const { key: logKey, value } of this.#file.log.getRange(rows)) {
      const record = decodeLogRecord(logKey, value);
      if (record.key >= start && record.key < end) records.push(record);
    }
    const commits = gatherCommits(records, (key) => this.get(key));
    return commits.filter(({ revision }) => revision <= until);
  }

  async commit(group: CommitGroup, sequence: number): Promise<void> {
    await this.#defragmentation?.room(group);
    await this.#writes.run(async () => {
      this.#file.mustHaveRoom(bytesOf(group));
      await this.#together((file) => {
        writeGroup(file, group);
        metaOf(file.meta).setLogged(sequence);
      });
      this.#defragmentation?.record(group);
    });
  }

  setAlarms(alarms: readonly Alarm[]): Promise<void> {
    return this.#change(({ meta }) => metaOf(meta).setAlarms(alarms));
  }

  compact(revision: Revision): Promise<void> {
    this.#compactedRevision = revision;
    return this.#upkeep.run(async () => {
      await this.#change(({ meta }) => metaOf(meta).setCompactedRevision(revision));
      const end = encodeLogKey(revision, 0);
      for (;;) {
        const keys = [...this.#file.log.getKeys({ end, limit: compactRecordsMax })];
        await this.#change(({ log }) => {
          for (const key of keys) void log.remove(key);
        });
        if (keys.length < compactRecordsMax) return;
      }
    });
  }

  /** Copies what is in use into a file of its own, which takes the place of this one. */
  defragment(): Promise<void> {
    return this.#upkeep.run(async () => {
      const defragmentation = new Defragmentation(this.#file, this.#directory, this.#durability);
      this.#defragmentation = defragmentation;
      try {
        await defragmentation.copy();
        await this.#writes.run(async () => {
          const old = this.#file;
          this.#file = await defragmentation.takePlace(() => this.superblock.tablesAreReplaced());
          this.superblock.noteTables(this.#file.mark());
          this.#replaced = old;
          this.#isDoubtful = false;
          old.retire();
        });
      } finally {
        this.#defragmentation = undefined;
        if (this.#isDoubtful) await this.#writes.run(async () => this.#reopen());
      }
    });
  }

  view(): TableView {
    return viewFile(this.#file, {
      revision: newestRevision(this.#file),
      compactedRevision: this.#compactedRevision,
    });
  }

  size(): { totalBytes: number; usedBytes: number } {
    return this.#file.size();
  }

  /** Gives the directory back at once, where what belongs to the tables can't be used. */
  abandon(): void {
    void this.#file.close();
    void this.superblock.close();
    this.#release();
  }

  close(): Promise<void> {
    return this.#upkeep.run(() =>
      this.#writes.run(async () => {
        await this.#file.close();
        await this.superblock.close();
        this.#probe.close();
        removeNextFile(this.#directory);
        this.#release();
      }),
    );
  }

  #change(write: (file: LmdbFile) => void): Promise<void> {
    return this.#writes.run(() => this.#together(write));
  }

  async #together(write: (file: LmdbFile) => void): Promise<void> {
    await this.#probe.mustTakeWrites();
    if (this.#isDoubtful) this.#reopen();
    const file = this.#file;
    try {
      await file.together(() => write(file));
      this.superblock.noteTables(file.mark());
    } catch (failure) {
      this.#isDoubtful = true;
      this.#reopen();
      throw failure;
    }
  }

  /** Where nothing can be written, to be read at least; what is written next tries again. */
  #reopen(): void {
    // Of it a copy is being made, at the end of which this is called again.
    if (this.#defragmentation !== undefined) return;
    // A file whose place was taken shares its lock with the one that is opened now.
    this.#replaced?.closeAtOnce();
    this.#replaced = undefined;
    this.#file.closeAtOnce();
    this.#readBytes = 0;
    const path = dataFileOf(this.#directory);
    try {
      this.#file = new LmdbFile(path, this.#durability);
      this.#isDoubtful = false;
    } catch {
      this.#isDoubtful = true;
      this.#file = new LmdbFile(path, this.#durability, 'read');
    }
  }

  #giveBackIfMuch(): void {
    if (this.#readBytes < readBytesMax || this.#isGivingBack) return;
    this.#isGivingBack = true;
    const giveBack = async (): Promise<void> => {
      // Whoever reads now goes on reading until the end of the turn.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      this.#isGivingBack = false;
      if (this.#file.isRead || this.#replaced?.isRead === true) return;
      await this.#probe.mustTakeWrites();
      this.#reopen();
    };
    // Where nothing can be written everything stays as it is.
    this.#writes.run(giveBack).catch(() => undefined);
  }
}

/** Looks at the files before LMDB does, and brings them to the present layout. */
function openTables(
  directory: string,
  durability: Durability,
  clock: Clock,
  log: (line: string) => void,
  progress: OpeningProgress | undefined,
): { readonly file: LmdbFile; readonly superblock: SuperblockFile } {
  removeNextFile(directory);
  progress?.at('looking at the files');
  const found = inspectDirectory(directory, (damage) =>
    log(`${dataFileOf(directory)}: ${damage}; run "coxswain storage check" for details`),
  );
  const superblock = found.superblock && SuperblockFile.open(directory, durability, clock, found.superblock);
  if (!found.hasTables) {
    const made = superblock ?? SuperblockFile.create(directory, durability, clock);
    return { file: makeTables(directory, durability, storeOf(made)), superblock: made };
  }
  const file = new LmdbFile(dataFileOf(directory), durability);
  progress?.at('reading the tables');
  try {
    const state = stateOfFile(directory, file, found.superblock);
    if (state === 'present') return { file, superblock: superblock! };
    const made = superblock ?? SuperblockFile.create(directory, durability, clock);
    if (state === 'outdated') {
      log(`upgrading the layout of ${dataFileOf(directory)}`);
      const upgraded = upgradeFile(directory, file, durability, storeOf(made), progress);
      return { file: upgraded, superblock: made };
    }
    upgradeInPlace(directory, file, storeOf(made));
    removeLog(directory);
    return { file, superblock: made };
  } catch (failure) {
    void file.close();
    void superblock?.close();
    throw failure;
  }
}

const storeOf = ({ storeId }: SuperblockFile): string => storeId.toString('hex');

/** Of a new store: there are either whole ones afterwards, or none. */
function makeTables(directory: string, durability: Durability, store: string): LmdbFile {
  const file = new LmdbFile(nextFileOf(directory), durability);
  new FileFiller(file).finish(store, 0);
  putNextFileInPlace(directory, durability);
  return file;
}

/** What a file may be refused for though it is whole. */
const refusals = /permission|read-only|no space|too many open|input\/output/i;

function asOpenFailure(directory: string, cause: unknown): StorageError {
  const reason = messageOf(cause);
  const kind = refusals.test(reason) ? 'unavailable' : 'corrupt';
  return new StorageError(kind, `data directory ${directory} cannot be opened: ${reason}`, { cause });
}

function boundsOf({ start, end }: KeyRange): { start?: Buffer; end?: Buffer } {
  return {
    ...(start === '' ? undefined : { start: encodeKey(start) }),
    // Beyond all bytes there is no key to name.
    ...(end.charCodeAt(0) > 0xff ? undefined : { end: encodeKey(end) }),
  };
}
