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

/** LMDB's limit for pages of 4 KiB is 1,978; the keys of `leased` have eight additional bytes. */
const keyBytesMax = 1970;
/**
 * Pages read from the file count as this process's memory (resident pages of a mapping), though the system may reclaim
 * them: after this many bytes the file is reopened.
 */
const readBytesMax = 64 * 1024 * 1024;
/** The number of records that a compaction drops in one transaction, so that writes are not delayed. */
const compactRecordsMax = 10_000;

/**
 * The tables in a directory of this machine, behind the log (`log/logged-table.ts`). Their layout: `lmdb-file.ts`,
 * `record.ts`.
 */
export class LmdbTable implements BaseTable {
  readonly keyBytesMax = keyBytesMax;
  readonly #directory: string;
  readonly #durability: Durability;
  readonly #release: () => void;
  readonly #probe: DiskProbe;
  readonly superblock: SuperblockFile;
  /** Serializes changes of the file. */
  readonly #writes = new SerialQueue();
  /** Serializes compaction and defragmentation, which take long and must not run concurrently. */
  readonly #upkeep = new SerialQueue();
  #file: LmdbFile;
  #defragmentation: Defragmentation | undefined;
  /** The file replaced by a defragmentation. */
  #replaced: LmdbFile | undefined;
  /** Whether a write has failed: LMDB may then refuse writes and reads until its file is reopened. */
  #isDoubtful = false;
  /** Since the file was opened. */
  #readBytes = 0;
  #isGivingBack = false;
  #compactedRevision: Revision;

  /**
   * @throws StorageError 'locked' | 'corrupt' | 'unavailable', with a one-line message that includes the remedy
   */
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

  /** The number of the log record up to which everything is in the tables. */
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
    // Reads beyond `until`, since a put's value may be in the next record of its key.
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

  /** Copies the used pages into a new file, which replaces this one. */
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

  /** Releases the directory at once when its content can't be used. */
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

  /** If writing is impossible, reading at least must work; the next write tries again. */
  #reopen(): void {
    // The file is being copied; this is called again after the copy.
    if (this.#defragmentation !== undefined) return;
    // A replaced file shares its lock with the one that is opened now.
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
      // Current readers may continue until the end of the turn.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      this.#isGivingBack = false;
      if (this.#file.isRead || this.#replaced?.isRead === true) return;
      await this.#probe.mustTakeWrites();
      this.#reopen();
    };
    // If writing is impossible, everything stays as it is.
    this.#writes.run(giveBack).catch(() => undefined);
  }
}

/** Checks the files before LMDB opens them, and upgrades them to the current layout. */
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

/** For a new store: afterwards the tables are complete, or absent. */
function makeTables(directory: string, durability: Durability, store: string): LmdbFile {
  const file = new LmdbFile(nextFileOf(directory), durability);
  new FileFiller(file).finish(store, 0);
  putNextFileInPlace(directory, durability);
  return file;
}

/** Errors that don't mean a damaged file. */
const refusals = /permission|read-only|no space|too many open|input\/output/i;

function asOpenFailure(directory: string, cause: unknown): StorageError {
  const reason = messageOf(cause);
  const kind = refusals.test(reason) ? 'unavailable' : 'corrupt';
  return new StorageError(kind, `data directory ${directory} cannot be opened: ${reason}`, { cause });
}

function boundsOf({ start, end }: KeyRange): { start?: Buffer; end?: Buffer } {
  return {
    ...(start === '' ? undefined : { start: encodeKey(start) }),
    // No key lies beyond all bytes.
    ...(end.charCodeAt(0) > 0xff ? undefined : { end: encodeKey(end) }),
  };
}
