/**
 * Assembles gzipped lists from blocks that were compressed before. A block is a run of neighboring items, found again
 * by its first item, and valid while all its items are the same arrays. Where an item has changed, its block is
 * compressed again, up to the start of the next known block. Separators between blocks are stored uncompressed.
 */
import { constants, crc32, deflateRaw } from 'node:zlib';
import { inSlices, mapAsyncInSlices } from '@coxswain/apimachinery/slices.ts';
import { combineCrc32, shiftOf } from './crc32-combine.ts';
import type { ListParts } from './compression.ts';
import type { CompressedFor, CompressionTurns } from './compression-turns.ts';

/** The uncompressed size of a block: large enough to compress well, small enough to be cheap to recompress. */
const blockBytes = 64 * 1024;
/** The maximum number of compressed bytes kept per server; the oldest blocks are evicted. */
const compressedBytesMax = 64 * 1024 * 1024;
/** The number of blocks of one list that are compressed concurrently. */
const concurrentBlocksMax = 8;

interface Block {
  readonly items: readonly Uint8Array[];
  readonly skipped: number;
  /** Cleared when others need the room. */
  readonly kept: { piece: Promise<Piece> | Piece | undefined };
}

/** A part of the deflate stream that ends on a byte boundary and refers to nothing before it. */
interface Piece {
  readonly deflated: Uint8Array;
  /** The CRC of the uncompressed bytes. */
  readonly crc: number;
  readonly bytes: number;
  readonly shift: number;
}

export class GzipBlocks {
  readonly #byFirstItem = new WeakMap<Uint8Array, Block>();
  readonly #keptOldestFirst = new Set<{ readonly kept: Block['kept']; readonly bytes: number }>();
  readonly #turns: CompressionTurns;
  readonly #bytesMax: number;
  #keptBytes = 0;

  constructor(turns: CompressionTurns, bytesMax = compressedBytesMax) {
    this.#turns = turns;
    this.#bytesMax = bytesMax;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  async compress(parts: ListParts, by: CompressedFor): Promise<Uint8Array[]> {
    const { clock, owner } = by;
    const blocks = await this.#blocksOf(parts, by);
    const make = (block: Block) => block.kept.piece ?? this.#make(block, parts, by);
    const pieces = await mapAsyncInSlices(blocks, make, concurrentBlocksMax, clock, owner);
    const { head, firstSeparator, separator, tail } = parts;
    const stream = new GzipStream();
    stream.add(stored(head));
    const [first, between] = [stored(firstSeparator), stored(separator)];
    let next = 0;
    const addOne = (): boolean => {
      if (next === pieces.length) return true;
      const before = next === 0 ? first : between;
      if (before.bytes > 0) stream.add(before);
      stream.add(pieces[next++]!);
      return false;
    };
    await inSlices(addOne, clock, owner);
    return stream.finish(stored(tail));
  }

  async #blocksOf(parts: ListParts, { clock, owner }: CompressedFor): Promise<Block[]> {
    const blocks: Block[] = [];
    let from = 0;
    const cutOne = (): boolean => {
      if (from === parts.items.length) return true;
      const block = this.#blockAt(parts, from);
      blocks.push(block);
      from += block.items.length;
      return false;
    };
    await inSlices(cutOne, clock, owner);
    return blocks;
  }

  #blockAt({ items, skipped }: ListParts, from: number): Block {
    const known = this.#byFirstItem.get(items[from]!);
    if (known !== undefined && known.skipped === skipped && isAt(known.items, items, from)) return known;
    let to = from + 1;
    let bytes = items[from]!.length;
    while (
      to < items.length &&
      bytes + items[to]!.length <= blockBytes &&
      !this.#byFirstItem.has(items[to]!)
    ) {
      bytes += items[to++]!.length;
    }
    const block: Block = { items: items.slice(from, to), skipped, kept: { piece: undefined } };
    this.#byFirstItem.set(items[from]!, block);
    return block;
  }

  #make({ items, skipped, kept }: Block, { separator }: ListParts, by: CompressedFor): Promise<Piece> {
    const chunks = items.flatMap((item, at) =>
      at === 0 ? [item.subarray(skipped)] : [separator, item.subarray(skipped)],
    );
    const plain = Buffer.concat(chunks);
    const piece = this.#turns
      .take(by, plain.length, () => deflated(plain))
      .then((made) => {
        kept.piece = made;
        this.#keep(kept, made.deflated.length);
        return made;
      });
    kept.piece = piece;
    piece.catch(() => (kept.piece = undefined));
    return piece;
  }

  #keep(kept: Block['kept'], bytes: number): void {
    this.#keptOldestFirst.add({ kept, bytes });
    this.#keptBytes += bytes;
    for (const oldest of this.#keptOldestFirst) {
      if (this.#keptBytes <= this.#bytesMax) break;
      this.#keptOldestFirst.delete(oldest);
      this.#keptBytes -= oldest.bytes;
      oldest.kept.piece = undefined;
    }
  }
}

function isAt(part: readonly Uint8Array[], whole: readonly Uint8Array[], from: number): boolean {
  if (from + part.length > whole.length) return false;
  for (let at = 0; at < part.length; at++) if (part[at] !== whole[from + at]) return false;
  return true;
}

const pieceOf = (deflatedBytes: Uint8Array, plain: Uint8Array): Piece => ({
  deflated: deflatedBytes,
  crc: crc32(plain),
  bytes: plain.length,
  shift: shiftOf(plain.length),
});

/**
 * The fastest level. A block is too short for the full window, whose allocation costs as much time as the compression
 * itself: half the window and a quarter of the hash table take half the time, for one percent more bytes.
 */
const deflateOptions = {
  level: 1,
  windowBits: 14,
  memLevel: 6,
  finishFlush: constants.Z_SYNC_FLUSH,
} as const;

const deflated = (plain: Uint8Array): Promise<Piece> =>
  new Promise((resolve, reject) => {
    deflateRaw(plain, deflateOptions, (failure, bytes) => {
      // zlib returns a view of a larger buffer, which would otherwise be retained.
      if (failure === null) resolve(pieceOf(Uint8Array.prototype.slice.call(bytes), plain));
      else reject(failure);
    });
  });

/** The maximum size of a stored deflate block. */
const storedBytesMax = 0xffff;

/** Wraps uncompressed bytes in stored deflate blocks. */
function stored(plain: Uint8Array): Piece {
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < plain.length; from += storedBytesMax) {
    const part = plain.subarray(from, from + storedBytesMax);
    const [low, high] = [part.length & 0xff, part.length >>> 8];
    blocks.push(Uint8Array.of(0, low, high, low ^ 0xff, high ^ 0xff), part);
  }
  return pieceOf(Buffer.concat(blocks), plain);
}

/** Magic number, deflate, no flags, no time, fastest, unknown system: as Go writes it. */
const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff);
/** The final, empty block. */
const lastBlock = Uint8Array.of(3, 0);

class GzipStream {
  readonly #chunks: Uint8Array[] = [gzipHeader];
  #crc = 0;
  #bytes = 0;

  add({ deflated: chunk, crc, bytes, shift }: Piece): void {
    this.#chunks.push(chunk);
    this.#crc = combineCrc32(this.#crc, crc, shift);
    this.#bytes += bytes;
  }

  finish(last: Piece): Uint8Array[] {
    this.add(last);
    const trailer = new Uint8Array(8);
    const view = new DataView(trailer.buffer);
    view.setUint32(0, this.#crc, true);
    view.setUint32(4, this.#bytes >>> 0, true);
    return [...this.#chunks, lastBlock, trailer];
  }
}
