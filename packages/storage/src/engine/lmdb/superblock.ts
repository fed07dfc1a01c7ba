/**
 * A file of ours beside LMDB's, whose pages don't say what they should contain. It records what must be in a data
 * directory: the store's id, the format, the log files, the last acknowledged write, and LMDB's meta page. If a start
 * finds less, something is missing.
 *
 * It has three slots of 4 KiB, each with a state and its checksum (CRC-32). Two are written alternately and synced when
 * something changes that must be recorded *before* it is relied on: a log file gets its first record, or another file
 * replaces the tables. The third is written occasionally, in the background and without a sync, with what is known
 * *after* it happened: it can only be too low, but is still much closer to the present than nothing.
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
  /** 16 random bytes, which the tables and the log files have as well. */
  readonly storeId: Buffer;
  /** The generation of the tables' file: incremented whenever another one replaces it. */
  readonly generation: number;
  /** The first number in each log file; 0: the file is not needed. */
  readonly logs: readonly [number, number];
  readonly acknowledged: Acknowledged;
  readonly tables: TablesMark;
}

/** The newest write that was acknowledged to a client, or a later one. */
export interface Acknowledged {
  /** The number of its log record. */
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

/** The maximum delay of recording an acknowledged write. */
const noteAfterMs = 20;

const unknownTables: TablesMark = { transaction: 0, checksum: 0 };

/** Of an empty store. */
const newSuperblock = (): Superblock => ({
  storeId: randomBytes(storeIdBytes),
  generation: 1,
  logs: [0, 0],
  acknowledged: { sequence: 0, revision: 0 },
  tables: unknownTables,
});

/** Whether the store may contain acknowledged data. */
export const holdsSomething = ({ generation, logs, acknowledged, tables }: Superblock): boolean =>
  generation > 1 || logs.some((salt) => salt !== 0) || acknowledged.sequence > 0 || tables.transaction > 0;

export interface StoredSuperblock extends Superblock {
  readonly format: number;
  /** The slot with the higher number is the newer one. */
  readonly counter: number;
}

/** Undefined when no slot is valid. @throws StorageError 'corrupt', for a later format; 'unavailable' */
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

/** Maintains the file while a store is open. */
export class SuperblockFile {
  readonly #descriptor: number;
  readonly #durability: Durability;
  readonly #clock: Clock;
  /** Without acknowledgements, which change with each write. */
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

  /** Durable on return. @throws the operating system's error */
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

  /** Continues with what {@link readSuperblock} returned. @throws the operating system's error */
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

  /** On disk on return, together with everything recorded before. @throws the operating system's error */
  store(changes: Partial<Superblock>): void {
    const state = { ...this.state, ...changes };
    for (const place of storedPlaces) {
      encode(state, ++this.#counter, this.#buffer);
      if (writeSync(this.#descriptor, this.#buffer, 0, stateBytes, place) < stateBytes)
        throw new Error('no space left on device');
      // One after the other, so that a power failure damages at most one of them.
      if (this.#durability === 'sync') fdatasyncSync(this.#descriptor);
    }
    this.#stored = state;
  }

  /** This write is being acknowledged. */
  noteAcknowledged(sequence: number, revision: Revision | undefined): void {
    this.#sequence = sequence;
    if (revision !== undefined) this.#revision = revision;
    this.#timer ??= this.#noteSoon();
  }

  /** This is in the tables, as durable as it will be. */
  noteTables(tables: TablesMark): void {
    this.#stored = { ...this.#stored, tables };
    this.#timer ??= this.#noteSoon();
  }

  /** Another file replaces the tables: until its meta page is recorded, either may exist. */
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

  /** One at a time. A failure loses nothing but the record itself. */
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
