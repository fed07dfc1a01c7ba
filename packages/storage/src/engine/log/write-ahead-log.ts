import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import { StorageError } from '../../storage.ts';
import type { CommitGroup } from '../table.ts';
import type { Durability } from '../lmdb/lmdb-file.ts';
import { DiskPace } from './disk-pace.ts';
import { LogFile, readLogFile } from './log-file.ts';
import type { FoundFile } from './log-file.ts';
import { recordBytesOf, writeRecord } from './log-record.ts';
import type { FoundRecord } from './log-record.ts';

/** Records go to the other file, once that is free, when one has so many bytes. */
const fileBytesMax = 8 * 1024 * 1024;
/** Larger records than this get a buffer of their own. */
const bufferBytes = 256 * 1024;
const nothing: CommitGroup = { commits: [], leases: [] };

const pathsIn = (directory: string): readonly string[] =>
  ['log.0', 'log.1'].map((name) => join(directory, name));

/**
 * What was committed and is not in the tables yet, in two files by turns: while what is in one is brought into the
 * tables, records go to the other. A commit is one write, which returns when the disk has it.
 *
 * Each record has the number after that of the record before it, over both files. What is left of a record that
 * a crash or a loss of power has torn is at the end, and was never acknowledged; anything else that is missing is
 * damage.
 */
export class WriteAheadLog {
  readonly #durability: Durability;
  readonly #paths: readonly string[];
  readonly #files: (LogFile | undefined)[];
  /** Of the file that is written to. */
  #current: number;
  #sequence: number;
  /** What is in the tables, up to this number, is not needed here. */
  #released: number;
  /** A write has failed: its record may be there or not, in part or as a whole. */
  #isDoubtful = false;
  readonly #pace: DiskPace;
  readonly #buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes);

  private constructor(directory: string, durability: Durability, found: FoundLog, clock: Clock) {
    this.#pace = new DiskPace(clock);
    this.#durability = durability;
    this.#paths = pathsIn(directory);
    this.#files = found.files.map((file) => file && LogFile.reopen(file, durability));
    this.#current = found.current;
    this.#sequence = found.sequence;
    this.#released = found.after;
  }

  /** @throws as {@link readLog} */
  static open(directory: string, durability: Durability, found: FoundLog, clock: Clock): WriteAheadLog {
    if (found.records.length > 0) return new WriteAheadLog(directory, durability, found, clock);
    // What is in the tables already is in nobody's way, and may be of a shape that nobody goes on with.
    removeLog(directory);
    const empty = { ...found, files: [undefined, undefined], current: 0 };
    return new WriteAheadLog(directory, durability, empty, clock);
  }

  /** Of the record that was written last. */
  get sequence(): number {
    return this.#sequence;
  }

  /** One at a time. Undefined when it is done on return, else resolves when it is. */
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

  /** All records up to this one are in the tables, and durable there. */
  release(sequence: number): void {
    this.#released = sequence;
  }

  /** Removes what is not needed any more. */
  async close(): Promise<void> {
    const isNeeded = this.#released < this.#sequence;
    await Promise.all(this.#files.map((file) => (isNeeded ? file?.close() : file?.remove())));
  }

  /** Nothing goes to the place of a write that failed but what says that there is nothing. */
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
    if (done === undefined) {
      this.#pace.end(startMs, isWaitedFor);
      this.#sequence = sequence;
      return undefined;
    }
    return done.then(() => {
      this.#pace.end(startMs, false);
      this.#sequence = sequence;
    });
  }

  #fileToWrite(): LogFile {
    const other = 1 - this.#current;
    const file = (this.#files[this.#current] ??= LogFile.create(
      this.#paths[this.#current]!,
      this.#durability,
    ));
    const isOtherFree = (this.#files[other]?.lastSequence ?? 0) <= this.#released;
    if (file.end < fileBytesMax || !isOtherFree || this.#isDoubtful) return file;
    const next = (this.#files[other] ??= LogFile.create(this.#paths[other]!, this.#durability));
    next.reuse(fileBytesMax);
    this.#current = other;
    return next;
  }
}

/** What is in it is in the tables, or belongs to tables that are gone. */
export function removeLog(directory: string): void {
  for (const path of pathsIn(directory)) rmSync(path, { force: true });
}

/** What a log holds at the start, after the record number that the tables hold. */
export interface FoundLog {
  readonly after: number;
  readonly records: readonly FoundRecord[];
  /** Of the last record. */
  readonly sequence: number;
  readonly files: readonly (FoundFile | undefined)[];
  /** Of the file with the last record. */
  readonly current: number;
}

/** @throws StorageError 'corrupt' when a record is damaged that others come after, or missing; 'unavailable' */
export function readLog(directory: string, after: number): FoundLog {
  const files = pathsIn(directory).map((path) => readLogFile(path));
  const records = files
    .flatMap((file) => file?.records ?? [])
    .filter((record) => record.sequence > after)
    .sort((a, b) => a.sequence - b.sequence);
  for (const [index, { sequence }] of records.entries()) {
    if (sequence !== after + 1 + index) throw damaged(directory, after + 1 + index, 'is missing');
  }
  const sequence = after + records.length;
  for (const file of files) {
    if (file?.hasRecordBeyond(sequence + 1) === true) throw damaged(directory, sequence + 1, 'is damaged');
  }
  const current = Math.max(
    0,
    files.findIndex((file) => file?.lastSequence === sequence),
  );
  return { after, records, sequence, files, current };
}

const damaged = (directory: string, sequence: number, what: string): StorageError =>
  new StorageError(
    'corrupt',
    `the log in ${directory} cannot be used: record ${sequence} ${what}, and later ones are there; restore the directory from a backup or move it away`,
  );

const inPlainWords = (failure: unknown): unknown =>
  (failure as NodeJS.ErrnoException).code === 'ENOSPC'
    ? new Error('no space left on device', { cause: failure })
    : failure;
