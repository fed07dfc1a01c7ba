import { randomBytes } from 'node:crypto';
import {
  close,
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StorageError } from '../../storage.ts';
import type { Durability } from '../lmdb/lmdb-file.ts';
import { findRecord } from './log-record.ts';
import type { FoundRecord } from './log-record.ts';

/**
 * What a file begins with; a random number comes after it, with which each of its records begins too: no bytes that
 * a client stored are taken for a record.
 */
const magic = Buffer.from('coxswain log');
const saltBytes = 4;
export const fileHeadBytes = magic.length + saltBytes;
/**
 * A file grows in steps of so many bytes, which are written as zeros: a sync within what was written before
 * needs no change of the file system's own tables, which would cost as much again.
 */
const stepBytes = 1024 * 1024;

/** One file of the log, in which records are written one after the other, and from the beginning when it is free. */
export class LogFile {
  readonly salt: number;
  /** Of what it holds; 0: nothing. */
  lastSequence: number;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #durability: Durability;
  #end: number;
  #writtenBytes: number;

  private constructor(path: string, descriptor: number, state: FileState, durability: Durability) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#durability = durability;
    this.salt = state.salt;
    this.lastSequence = state.lastSequence;
    this.#end = state.end;
    this.#writtenBytes = state.writtenBytes;
  }

  /** Durable, as an empty file, on return. @throws what the operating system says */
  static create(path: string, durability: Durability): LogFile {
    const head = Buffer.alloc(durability === 'sync' ? stepBytes : fileHeadBytes);
    magic.copy(head);
    // Not zero: that is what files are filled up with.
    const salt = randomBytes(saltBytes).readUInt32BE() || 1;
    head.writeUInt32BE(salt, magic.length);
    const descriptor = openSync(path, flagsOf(durability) | constants.O_CREAT | constants.O_TRUNC, 0o600);
    try {
      if (writeSync(descriptor, head, 0, head.length, 0) < fileHeadBytes) throw new Error(noSpace);
      if (durability === 'sync') syncDirectory(dirname(path));
    } catch (failure) {
      closeSync(descriptor);
      throw failure;
    }
    const state = { salt, lastSequence: 0, end: fileHeadBytes, writtenBytes: head.length };
    return new LogFile(path, descriptor, state, durability);
  }

  /** One that is there, to go on after its last record. What it holds is on the disk on return. */
  static reopen(found: FoundFile, durability: Durability): LogFile {
    const descriptor = openSync(found.path, flagsOf(durability));
    if (durability === 'sync') fsyncSync(descriptor);
    return new LogFile(found.path, descriptor, found, durability);
  }

  get end(): number {
    return this.#end;
  }

  /**
   * Writes `record` after the last one. Undefined when that is done: when the operating system has it, which is
   * enough for 'relaxed', or, where `isWaitedFor`, when the disk has it, and this process did nothing else
   * meanwhile. Else resolves when the disk has it. Where it fails the next one goes to the same place.
   */
  append(record: Buffer, sequence: number, isWaitedFor: boolean): Promise<void> | undefined {
    const start = this.#end;
    const done = (written: number): void => {
      if (written < record.length) throw new Error(noSpace);
      this.#end = start + record.length;
      this.#writtenBytes = Math.max(this.#writtenBytes, start + written);
      this.lastSequence = sequence;
    };
    const isWithin = start + record.length <= this.#writtenBytes;
    if (this.#durability === 'relaxed' || (isWaitedFor && isWithin)) {
      done(writeSync(this.#descriptor, record, 0, record.length, start));
      return undefined;
    }
    const bytes = isWithin ? record : filledUp(record, start);
    return new Promise((resolve, reject) => {
      write(this.#descriptor, bytes, 0, bytes.length, start, (failure, written) => {
        if (failure !== null) return reject(failure);
        try {
          done(written);
          resolve();
        } catch (short) {
          reject(short as Error);
        }
      });
    });
  }

  /** Nothing in it is needed any more: begins anew, and gives up what is beyond `bytesMax`. */
  reuse(bytesMax: number): void {
    if (this.#writtenBytes > bytesMax) {
      ftruncateSync(this.#descriptor, bytesMax);
      this.#writtenBytes = bytesMax;
    }
    this.#end = fileHeadBytes;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => close(this.#descriptor, () => resolve()));
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.#path, { force: true });
  }
}

interface FileState {
  readonly salt: number;
  readonly lastSequence: number;
  readonly end: number;
  readonly writtenBytes: number;
}

/** A file of the log as it is found at the start. */
export interface FoundFile extends FileState {
  readonly path: string;
  /** In the order of their numbers, up to the first one that is not whole. */
  readonly records: readonly FoundRecord[];
  /** Whether a whole record with this number, or a later one, comes after what is not whole. */
  hasRecordBeyond(sequence: number): boolean;
}

/** Undefined when there is no file, or one in which nothing can have been written. @throws StorageError 'corrupt' */
export function readLogFile(path: string): FoundFile | undefined {
  const bytes = bytesIfThere(path);
  if (bytes === undefined || bytes.every((byte) => byte === 0)) return undefined;
  if (bytes.length < fileHeadBytes || !bytes.subarray(0, magic.length).equals(magic))
    throw new StorageError('corrupt', `${path} cannot be used: it is not a log of this program`);
  const salt = bytes.readUInt32BE(magic.length);
  const records: FoundRecord[] = [];
  let end = fileHeadBytes;
  for (;;) {
    const record = findRecord(bytes, end, salt);
    if (record === undefined || record.sequence <= (records.at(-1)?.sequence ?? 0)) break;
    records.push(record);
    end = record.end;
  }
  return {
    path,
    salt,
    records,
    end,
    lastSequence: records.at(-1)?.sequence ?? 0,
    writtenBytes: bytes.length,
    hasRecordBeyond: (sequence) => hasRecordFrom(bytes, end, salt, sequence),
  };
}

/** Looks at every place that has the salt, since the length of what is damaged can't be relied on. */
function hasRecordFrom(bytes: Buffer, start: number, salt: number, sequence: number): boolean {
  const wanted = Buffer.alloc(saltBytes);
  wanted.writeUInt32BE(salt);
  for (let place = bytes.indexOf(wanted, start); place >= 0; place = bytes.indexOf(wanted, place + 1)) {
    if ((findRecord(bytes, place, salt)?.sequence ?? 0) >= sequence) return true;
  }
  return false;
}

function bytesIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StorageError('unavailable', `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}

const noSpace = 'no space left on device';

const flagsOf = (durability: Durability): number =>
  constants.O_RDWR | (durability === 'sync' ? constants.O_DSYNC : 0);

/** The record, and zeros after it to the end of the step. */
function filledUp(record: Buffer, start: number): Buffer {
  const end = Math.ceil((start + record.length) / stepBytes) * stepBytes;
  const bytes = Buffer.alloc(end - start);
  record.copy(bytes);
  return bytes;
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
