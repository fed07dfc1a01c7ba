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
import { crc32 } from 'node:zlib';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { StorageError } from '../../storage.ts';
import { damaged } from '../lmdb/damage.ts';
import { syncPath } from '../lmdb/file-names.ts';
import type { Durability } from '../lmdb/durability.ts';
import { storeIdBytes } from '../lmdb/superblock.ts';
import { findRecord, type FoundRecord } from './log-record.ts';

/**
 * The header of a file: this text, a random salt with which each of its records begins as well (so that bytes stored by
 * a client are never taken for a record), the store's id, and a checksum (CRC-32).
 */
const magic = Buffer.from('coxswain wal');
const at = { salt: magic.length, storeId: magic.length + 4, checksum: magic.length + 4 + storeIdBytes };
const saltBytes = 4;
const headBytes = at.checksum + 4;
/** Before layout 4 of the tables only a salt followed it. */
const magicBefore = Buffer.from('coxswain log');
const headBytesBefore = magicBefore.length + saltBytes;
/**
 * A file grows in steps of this many bytes, which are filled with zeros before records are written: a sync of already
 * allocated bytes needs no change of the file system's metadata, which would double its cost, and a truncated file
 * lacks part of a step.
 */
const stepBytes = 1024 * 1024;

/** One file of the log, in which records are appended, and which is reused from the beginning when it is free. */
export class LogFile {
  readonly salt: number;
  /** Of its content; 0: none. */
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

  /** Durable as an empty file on return. @throws the operating system's error */
  static create(path: string, durability: Durability, storeId: Buffer): LogFile {
    const step = Buffer.alloc(stepBytes);
    // Not zero, since files are filled with zeros.
    const salt = randomBytes(saltBytes).readUInt32BE() || 1;
    writeHead(step, salt, storeId);
    const descriptor = openSync(path, flagsOf(durability) | constants.O_CREAT | constants.O_TRUNC, 0o600);
    try {
      if (writeSync(descriptor, step, 0, stepBytes, 0) < stepBytes) throw new Error(noSpace);
      if (durability === 'sync') syncPath(dirname(path));
    } catch (failure) {
      closeSync(descriptor);
      throw failure;
    }
    const state = { salt, lastSequence: 0, end: headBytes, writtenBytes: stepBytes };
    return new LogFile(path, descriptor, state, durability);
  }

  /** Reopens an existing file to append after its last record. Its content is on disk on return. */
  static reopen(found: FoundFile, durability: Durability): LogFile {
    const descriptor = openSync(found.path, flagsOf(durability));
    if (durability === 'sync') fsyncSync(descriptor);
    return new LogFile(found.path, descriptor, found, durability);
  }

  get end(): number {
    return this.#end;
  }

  /**
   * Appends `record`. Returns undefined when that is complete: when the operating system has it, which suffices for
   * 'relaxed', or, with `isWaitedFor`, when the disk has it, which blocks this process. Otherwise resolves when the
   * disk has it. After a failure the next record goes to the same place.
   */
  append(record: Buffer, sequence: number, isWaitedFor: boolean): Promise<void> | undefined {
    const isRelaxed = this.#durability === 'relaxed';
    const end = this.#end + record.length;
    if (end > this.#writtenBytes) {
      if (!isRelaxed) return this.#growTo(end).then(() => this.#writeApart(record, sequence));
      this.#took(writeSync(this.#descriptor, this.#zerosTo(end), 0, undefined, this.#writtenBytes), end);
    }
    if (!isRelaxed && !isWaitedFor) return this.#writeApart(record, sequence);
    this.#done(writeSync(this.#descriptor, record, 0, record.length, this.#end), record, sequence);
    return undefined;
  }

  async #writeApart(record: Buffer, sequence: number): Promise<void> {
    this.#done(await writeAt(this.#descriptor, record, this.#end), record, sequence);
  }

  #done(written: number, record: Buffer, sequence: number): void {
    if (written < record.length) throw new Error(noSpace);
    this.#end += record.length;
    this.lastSequence = sequence;
  }

  /** The zeros are on disk before records overwrite them. */
  async #growTo(end: number): Promise<void> {
    this.#took(await writeAt(this.#descriptor, this.#zerosTo(end), this.#writtenBytes), end);
  }

  /** Zeros up to the end of the step that contains `end`. */
  #zerosTo(end: number): Buffer {
    return Buffer.alloc(Math.ceil(end / stepBytes) * stepBytes - this.#writtenBytes);
  }

  #took(zeros: number, end: number): void {
    this.#writtenBytes += zeros - (zeros % stepBytes);
    if (this.#writtenBytes < end) throw new Error(noSpace);
  }

  /** Discards the content: starts from the beginning, and releases what exceeds `bytesMax`. */
  reuse(bytesMax: number): void {
    if (this.#writtenBytes > bytesMax) {
      ftruncateSync(this.#descriptor, bytesMax);
      this.#writtenBytes = bytesMax;
    }
    this.#end = headBytes;
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

/** A log file as found at startup. */
export interface FoundFile extends FileState {
  readonly path: string;
  /** In order of their numbers, up to the first incomplete one. */
  readonly records: readonly FoundRecord[];
  /** Whether a complete record with this or a later number follows an incomplete one. */
  hasRecordBeyond(sequence: number): boolean;
}

/**
 * Undefined when it contains nothing that is needed: when it doesn't exist, its header is incomplete, or it belongs to
 * another store or layout; and `salt`, with which it must begin, is 0.
 * @param storeId undefined before layout 4
 * @throws StorageError 'corrupt' | 'unavailable'
 */
export function readLogFile(path: string, storeId: Buffer | undefined, salt: number): FoundFile | undefined {
  const directory = dirname(path);
  const bytes = bytesIfThere(path);
  if (bytes === undefined) {
    if (salt !== 0) throw damaged(directory, `${path} is missing`);
    return undefined;
  }
  const head = storeId === undefined ? readHeadBefore(path, bytes) : readHead(bytes);
  const isRight =
    head !== undefined && (storeId === undefined || (head.storeId?.equals(storeId) && isFrom(salt, head)));
  if (!isRight) {
    if (salt !== 0)
      throw damaged(directory, `${path} ${head === undefined ? 'is damaged' : 'is another file'}`);
    return undefined;
  }
  const found = recordsOf(path, bytes, head);
  const wholeBytes = bytes.length - (bytes.length % stepBytes);
  const isCutOff = storeId !== undefined && found.end > wholeBytes;
  if (!isCutOff) return { ...found, writtenBytes: wholeBytes };
  // A process that was killed while creating the file has left part of it.
  if (salt === 0 && found.records.length === 0) return undefined;
  throw damaged(directory, `${path} is cut off (at ${bytes.length} bytes)`);
}

/** The readable part of a possibly damaged file: its records up to the first incomplete one. */
export function readWhatIsWhole(path: string, storeId: Buffer): readonly FoundRecord[] {
  const bytes = bytesIfThere(path);
  const head = bytes && readHead(bytes);
  return head?.storeId?.equals(storeId) ? recordsOf(path, bytes!, head).records : [];
}

const isFrom = (salt: number, head: Head): boolean => salt === 0 || salt === head.salt;

function recordsOf(path: string, bytes: Buffer, { salt, length }: Head): FoundFile {
  const records: FoundRecord[] = [];
  let end = length;
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

interface Head {
  readonly salt: number;
  readonly storeId?: Buffer;
  readonly length: number;
}

function writeHead(bytes: Buffer, salt: number, storeId: Buffer): void {
  magic.copy(bytes);
  bytes.writeUInt32BE(salt, at.salt);
  storeId.copy(bytes, at.storeId);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, at.checksum)), at.checksum);
}

function readHead(bytes: Buffer): Head | undefined {
  if (bytes.length < headBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  if (bytes.readUInt32BE(at.checksum) !== crc32(bytes.subarray(0, at.checksum))) return undefined;
  const storeId = bytes.subarray(at.storeId, at.checksum);
  return { salt: bytes.readUInt32BE(at.salt), storeId, length: headBytes };
}

/** @throws StorageError 'corrupt' for a foreign file */
function readHeadBefore(path: string, bytes: Buffer): Head | undefined {
  if (bytes.every((byte) => byte === 0)) return undefined;
  if (bytes.length < headBytesBefore || !bytes.subarray(0, magicBefore.length).equals(magicBefore))
    throw new StorageError('corrupt', `${path} cannot be used: it is not a log of this program`);
  return { salt: bytes.readUInt32BE(magicBefore.length), length: headBytesBefore };
}

/** Checks every offset with the salt, since a damaged record's length is unreliable. */
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
    throw new StorageError('unavailable', `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}

const noSpace = 'no space left on device';

const flagsOf = (durability: Durability): number =>
  constants.O_RDWR | (durability === 'sync' ? constants.O_DSYNC : 0);

/** Resolves with the number of written bytes. */
const writeAt = (descriptor: number, bytes: Buffer, start: number): Promise<number> =>
  new Promise((resolve, reject) => {
    write(descriptor, bytes, 0, bytes.length, start, (failure, written) =>
      failure === null ? resolve(written) : reject(failure),
    );
  });
