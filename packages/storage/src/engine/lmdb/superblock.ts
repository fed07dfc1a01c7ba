/**
 * What must be in a data directory, in a file of ours beside LMDB's, whose pages say nothing of what they should hold:
 * whose store it is, in which format, which files of the log belong to it, up to where writes were acknowledged, and
 * what LMDB's meta page said. A start that finds less has not found everything.
 *
 * Three places of 4 KiB, each with one state and its checksum (CRC-32). Two are written one after the other, and synced,
 * when something changes that must be known *before* it is relied on: a file of the log gets its first record, or another
 * file takes the place of the tables. The third is written now and then, in nobody's way and not synced, with what is
 * known *after* it happened: it can only be too low, and says so much more about the present than nothing.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readFileSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { StorageError, type Revision } from '../../storage.ts';
import { superblockFileOf, syncPath } from './file-names.ts';
import type { Durability } from './durability.ts';
import { formatVersion } from './record.ts';
import type { TablesMark } from './tables-mark.ts';

export interface Superblock {
  /** Random, 16 bytes. The tables and the files of the log have it, too. */
  readonly storeId: Buffer;
  /** Of the file of the tables: one more for each that took the place of another. */
  readonly generation: number;
  /** Of each file of the log, the number that it begins with; 0: none is needed. */
  readonly logs: readonly [number, number];
  readonly acknowledged: Acknowledged;
  readonly tables: TablesMark;
}

/** The newest write that somebody was told of, or a later one. */
export interface Acknowledged {
  /** Of its record in the log. */
  readonly sequence: number;
  readonly revision: Revision;
}

const magic = Buffer.from('coxswain store\0\0');
const at = {
  checksum: 0,
  magic: 4,
  format: 20,
  counter: 24,
  storeId: 32,
  generation: 48,
  logs: 56,
  sequence: 64,
  revision: 72,
  transaction: 80,
  metaChecksum: 88,
} as const;
const stateBytes = 92;
const placeBytes = 4096;
const storedPlaces = [0, placeBytes] as const;
const notedPlace = 2 * placeBytes;
export const storeIdBytes = 16;

/** What was acknowledged is noted so much later, at most. */
const noteAfterMs = 20;

const unknownTables: TablesMark = { transaction: 0, checksum: 0 };

/** Of a store in which nothing is yet. */
const newSuperblock = (): Superblock => ({
  storeId: randomBytes(storeIdBytes),
  generation: 1,
  logs: [0, 0],
  acknowledged: { sequence: 0, revision: 0 },
  tables: unknownTables,
});

/** Whether something may have been stored that was acknowledged. */
export const holdsSomething = ({ generation, logs, acknowledged, tables }: Superblock): boolean =>
  generation > 1 || logs.some((salt) => salt !== 0) || acknowledged.sequence > 0 || tables.transaction > 0;

export interface StoredSuperblock extends Superblock {
  readonly format: number;
  /** The higher one is the newer one. */
  readonly counter: number;
}

/** Undefined when there is none that is whole. @throws StorageError 'corrupt', of a later format; 'unavailable' */
export function readSuperblock(directory: string): StoredSuperblock | undefined {
  const bytes = bytesIfThere(superblockFileOf(directory));
  if (bytes === undefined) return undefined;
  const stored = storedPlaces.map((place) => decode(bytes, place)).filter((state) => state !== undefined);
  const newest = stored.toSorted((a, b) => b.counter - a.counter)[0];
  if (newest === undefined) return undefined;
  if (newest.format > formatVersion)
    throw new StorageError(
      'corrupt',
      `data directory ${directory} cannot be used: its format is ${newest.format}; this version reads the formats up to ${formatVersion}`,
    );
  const noted = decode(bytes, notedPlace);
  return noted !== undefined && noted.storeId.equals(newest.storeId) ? withNoted(newest, noted) : newest;
}

function withNoted(stored: StoredSuperblock, noted: StoredSuperblock): StoredSuperblock {
  const isLater = noted.acknowledged.sequence > stored.acknowledged.sequence;
  const isSameFile = noted.generation === stored.generation;
  const isNewer = isSameFile && noted.tables.transaction > stored.tables.transaction;
  return {
    ...stored,
    ...(isLater && { acknowledged: noted.acknowledged }),
    ...(isNewer && { tables: noted.tables }),
  };
}

/** Keeps the file up to date while a store is open. */
export class SuperblockFile {
  readonly #descriptor: number;
  readonly #durability: Durability;
  readonly #clock: Clock;
  /** But for what was acknowledged, which each write changes. */
  #stored: Superblock;
  #sequence: number;
  #revision: Revision;
  #counter: number;
  #timer: Timer | undefined;
  #noting: Promise<void> | undefined;
  readonly #buffer = Buffer.alloc(stateBytes);

  private constructor(
    descriptor: number,
    durability: Durability,
    clock: Clock,
    { counter, ...stored }: Superblock & { readonly counter: number },
  ) {
    this.#descriptor = descriptor;
    this.#durability = durability;
    this.#clock = clock;
    this.#stored = stored;
    this.#sequence = stored.acknowledged.sequence;
    this.#revision = stored.acknowledged.revision;
    this.#counter = counter;
  }

  /** Durable on return. @throws what the operating system says */
  static create(directory: string, durability: Durability, clock: Clock): SuperblockFile {
    const path = superblockFileOf(directory);
    const descriptor = openSync(path, 'w+', 0o600);
    const file = new SuperblockFile(descriptor, durability, clock, { ...newSuperblock(), counter: 0 });
    try {
      writeSync(descriptor, Buffer.alloc(notedPlace + placeBytes), 0, notedPlace + placeBytes, 0);
      file.store({});
      if (durability === 'sync') syncPath(dirname(path));
      return file;
    } catch (failure) {
      closeSync(descriptor);
      throw failure;
    }
  }

  /** To go on with what {@link readSuperblock} returned. @throws what the operating system says */
  static open(
    directory: string,
    durability: Durability,
    clock: Clock,
    found: StoredSuperblock,
  ): SuperblockFile {
    return new SuperblockFile(openSync(superblockFileOf(directory), 'r+'), durability, clock, found);
  }

  get state(): Superblock {
    return { ...this.#stored, acknowledged: { sequence: this.#sequence, revision: this.#revision } };
  }

  get storeId(): Buffer {
    return this.#stored.storeId;
  }

  get logs(): Superblock['logs'] {
    return this.#stored.logs;
  }

  /** On the disk on return, together with all that was noted. @throws what the operating system says */
  store(changes: Partial<Superblock>): void {
    const state = { ...this.state, ...changes };
    for (const place of storedPlaces) {
      encode(state, ++this.#counter, this.#buffer);
      if (writeSync(this.#descriptor, this.#buffer, 0, stateBytes, place) < stateBytes)
        throw new Error('no space left on device');
      // One after the other: a power loss damages one of them at most.
      if (this.#durability === 'sync') fdatasyncSync(this.#descriptor);
    }
    this.#stored = state;
  }

  /** Somebody is being told that this is stored. */
  noteAcknowledged(sequence: number, revision: Revision | undefined): void {
    this.#sequence = sequence;
    if (revision !== undefined) this.#revision = revision;
    this.#timer ??= this.#noteSoon();
  }

  /** This is in the tables, and as durable as it will be. */
  noteTables(tables: TablesMark): void {
    this.#stored = { ...this.#stored, tables };
    this.#timer ??= this.#noteSoon();
  }

  /** Another file takes the place of the tables: until its meta page is noted, either may be there. */
  tablesAreReplaced(): void {
    this.store({ generation: this.#stored.generation + 1, tables: unknownTables });
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#noting;
    closeSync(this.#descriptor);
  }

  #noteSoon(): Timer {
    return this.#clock.after(noteAfterMs, () => this.#writeNote(), { idle: true });
  }

  /** One at a time. Where it fails nothing is lost but what it would have told. */
  #writeNote(): void {
    this.#timer = this.#noting && this.#noteSoon();
    if (this.#noting !== undefined) return;
    const bytes = encode(this.state, this.#counter, Buffer.alloc(stateBytes));
    this.#noting = new Promise((resolve) => {
      write(this.#descriptor, bytes, 0, stateBytes, notedPlace, () => {
        this.#noting = undefined;
        resolve();
      });
    });
  }
}

function encode(state: Superblock, counter: number, bytes: Buffer): Buffer {
  magic.copy(bytes, at.magic);
  bytes.writeUInt32BE(formatVersion, at.format);
  bytes.writeUIntBE(counter, at.counter, 6);
  state.storeId.copy(bytes, at.storeId);
  bytes.writeUIntBE(state.generation, at.generation, 6);
  bytes.writeUInt32BE(state.logs[0], at.logs);
  bytes.writeUInt32BE(state.logs[1], at.logs + 4);
  bytes.writeUIntBE(state.acknowledged.sequence, at.sequence, 6);
  bytes.writeUIntBE(state.acknowledged.revision, at.revision, 6);
  bytes.writeUIntBE(state.tables.transaction, at.transaction, 6);
  bytes.writeUInt32BE(state.tables.checksum, at.metaChecksum);
  bytes.writeUInt32BE(crc32(bytes.subarray(at.magic, stateBytes)), at.checksum);
  return bytes;
}

function decode(file: Buffer, place: number): StoredSuperblock | undefined {
  if (file.length < place + stateBytes) return undefined;
  const bytes = file.subarray(place, place + stateBytes);
  if (!bytes.subarray(at.magic, at.format).equals(magic)) return undefined;
  if (crc32(bytes.subarray(at.magic)) !== bytes.readUInt32BE(at.checksum)) return undefined;
  return {
    format: bytes.readUInt32BE(at.format),
    counter: bytes.readUIntBE(at.counter, 6),
    storeId: Buffer.from(bytes.subarray(at.storeId, at.storeId + storeIdBytes)),
    generation: bytes.readUIntBE(at.generation, 6),
    logs: [bytes.readUInt32BE(at.logs), bytes.readUInt32BE(at.logs + 4)],
    acknowledged: { sequence: bytes.readUIntBE(at.sequence, 6), revision: bytes.readUIntBE(at.revision, 6) },
    tables: {
      transaction: bytes.readUIntBE(at.transaction, 6),
      checksum: bytes.readUInt32BE(at.metaChecksum),
    },
  };
}

function bytesIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StorageError('unavailable', `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
