import type { Clock } from '@coxswain/apimachinery';
import type { CommitGroup } from '../table.ts';
import { damaged } from '../lmdb/damage.ts';
import type { Durability } from '../lmdb/durability.ts';
import type { Superblock, SuperblockFile } from '../lmdb/superblock.ts';
import { DiskPace } from './disk-pace.ts';
import { LogFile, readLogFile, type FoundFile } from './log-file.ts';
import { logPathsOf, removeLog } from './log-paths.ts';
import { recordBytesOf, writeRecord, type FoundRecord } from './log-record.ts';

/** Records go to the other file, once that is free, when a file has this many bytes. */
const fileBytesMax = 8 * 1024 * 1024;
/** Larger records get a buffer of their own. */
const bufferBytes = 256 * 1024;
const nothing: CommitGroup = { commits: [], leases: [] };

/**
 * The commits that are not in the tables yet, in two alternating files: while the content of one is moved into the
 * tables, records go to the other. A commit is one write, which returns when it is on disk.
 *
 * Records are numbered consecutively over both files. A record torn by a crash or a power failure is at the end and was
 * never acknowledged; anything else that is missing is damage.
 */
export class WriteAheadLog {
  readonly #durability: Durability;
  readonly #superblock: SuperblockFile;
  readonly #paths: readonly string[];
  readonly #files: (LogFile | undefined)[];
  /** The index of the file that is written to. */
  #current: number;
  #sequence: number;
  /** Records up to this number are in the tables and not needed here. */
  #released: number;
  /** Whether a write has failed: its record may be there completely, partly, or not at all. */
  #isDoubtful = false;
  readonly #pace: DiskPace;
  readonly #buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes);

  private constructor(
    directory: string,
    durability: Durability,
    found: FoundLog,
    clock: Clock,
    superblock: SuperblockFile,
  ) {
    this.#pace = new DiskPace(clock);
    this.#durability = durability;
    this.#superblock = superblock;
    this.#paths = logPathsOf(directory);
    this.#files = found.files.map((file) => file && LogFile.reopen(file, durability));
    this.#current = found.current;
    this.#sequence = found.sequence;
    this.#released = found.after;
  }

  /** @throws the operating system's error */
  static open(
    directory: string,
    durability: Durability,
    found: FoundLog,
    clock: Clock,
    superblock: SuperblockFile,
  ): WriteAheadLog {
    if (found.records.length > 0) return new WriteAheadLog(directory, durability, found, clock, superblock);
    // Its records are in the tables already, and it may have an outdated layout.
    if (superblock.state.logs.some((salt) => salt !== 0)) superblock.store({ logs: [0, 0] });
    removeLog(directory);
    const empty = { ...found, files: [undefined, undefined], current: 0 };
    return new WriteAheadLog(directory, durability, empty, clock, superblock);
  }

  /** Of the last record. */
  get sequence(): number {
    return this.#sequence;
  }

  /** One at a time. Returns undefined when complete, otherwise resolves when it is. */
  append(group: CommitGroup): Promise<void> | undefined {
    if (this.#isDoubtful) return this.#appendAfterFailure(group);
    let done: Promise<void> | undefined;
    try {
      done = this.#write(group);
    } catch (failure) {
      this.#isDoubtful = true;
      throw inPlainWords(failure);
    }
    return done?.catch((failure: unknown) => {
      this.#isDoubtful = true;
      throw inPlainWords(failure);
    });
  }

  /** All records up to this one are durable in the tables. */
  release(sequence: number): void {
    this.#released = sequence;
  }

  /** Removes what is no longer needed, once the superblock doesn't require it. */
  async close(): Promise<void> {
    const isNeeded = this.#released < this.#sequence || !this.#giveUpFiles();
    await Promise.all(this.#files.map((file) => (isNeeded ? file?.close() : file?.remove())));
  }

  #giveUpFiles(): boolean {
    try {
      this.#superblock.store({ logs: [0, 0] });
      return true;
    } catch {
      return false;
    }
  }

  /** The place of a failed write is first overwritten to show that there is nothing. */
  async #appendAfterFailure(group: CommitGroup): Promise<void> {
    try {
      await this.#write(nothing);
      this.#isDoubtful = false;
    } catch (failure) {
      throw inPlainWords(failure);
    }
    await this.append(group);
  }

  #write(group: CommitGroup): Promise<void> | undefined {
    const file = this.#fileToWrite();
    const length = recordBytesOf(group);
    const record = length <= bufferBytes ? this.#buffer.subarray(0, length) : Buffer.allocUnsafeSlow(length);
    const sequence = this.#sequence + 1;
    writeRecord(record, group, sequence, file.salt);
    const isWaitedFor = this.#pace.isWaitedFor(group);
    const startMs = this.#pace.begin();
    const done = file.append(record, sequence, isWaitedFor);
    const stored = (wasWaitedFor: boolean): void => {
      this.#pace.end(startMs, wasWaitedFor);
      this.#sequence = sequence;
      this.#superblock.noteAcknowledged(sequence, group.commits.at(-1)?.revision);
    };
    if (done !== undefined) return done.then(() => stored(false));
    stored(isWaitedFor);
    return undefined;
  }

  #fileToWrite(): LogFile {
    const other = 1 - this.#current;
    const file = this.#file(this.#current);
    const isOtherFree = (this.#files[other]?.lastSequence ?? 0) <= this.#released;
    if (file.end < fileBytesMax || !isOtherFree || this.#isDoubtful) return file;
    const next = this.#file(other);
    next.reuse(fileBytesMax);
    this.#current = other;
    return next;
  }

  /** The superblock requires the file before it has a record. */
  #file(index: number): LogFile {
    const { storeId, logs } = this.#superblock;
    const file = (this.#files[index] ??= LogFile.create(this.#paths[index]!, this.#durability, storeId));
    if (logs[index] === file.salt) return file;
    this.#superblock.store({ logs: index === 0 ? [file.salt, logs[1]] : [logs[0], file.salt] });
    return file;
  }
}

/** The content of a log at startup, after the tables' last record. */
export interface FoundLog {
  readonly after: number;
  readonly records: readonly FoundRecord[];
  /** Of the last record. */
  readonly sequence: number;
  readonly files: readonly (FoundFile | undefined)[];
  /** The index of the file with the last record. */
  readonly current: number;
}

/**
 * @param after the last record whose content is in the tables
 * @param superblock undefined before layout 4
 * @throws StorageError 'corrupt' when a file or record with acknowledged data is damaged or missing; 'unavailable'
 */
export function readLog(directory: string, after: number, superblock: Superblock | undefined): FoundLog {
  const files = logPathsOf(directory).map((path, index) =>
    readLogFile(path, superblock?.storeId, superblock?.logs[index] ?? 0),
  );
  const records = files
    .flatMap((file) => file?.records ?? [])
    .filter((record) => record.sequence > after)
    .sort((a, b) => a.sequence - b.sequence);
  for (const [index, { sequence }] of records.entries()) {
    const wanted = after + 1 + index;
    if (sequence !== wanted)
      throw damaged(directory, `record ${wanted} of the log is missing, and later ones are there`);
  }
  const sequence = after + records.length;
  for (const file of files) {
    if (file?.hasRecordBeyond(sequence + 1) === true)
      throw damaged(directory, `record ${sequence + 1} of ${file.path} is damaged, and later ones are there`);
  }
  const acknowledged = superblock?.acknowledged;
  if (acknowledged !== undefined && sequence < acknowledged.sequence)
    throw damaged(
      directory,
      `the log ends at record ${sequence}, but what was written up to record ${acknowledged.sequence} (revision ${acknowledged.revision}) was acknowledged`,
    );
  const current = Math.max(
    0,
    files.findIndex((file) => file?.lastSequence === sequence),
  );
  return { after, records, sequence, files, current };
}

const inPlainWords = (failure: unknown): unknown =>
  (failure as NodeJS.ErrnoException).code === 'ENOSPC'
    ? new Error('no space left on device', { cause: failure })
    : failure;
