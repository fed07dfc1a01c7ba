/** gzip at its fastest level, off the main thread, as upstream compresses large responses. */
import { createGzip } from 'node:zlib';
import type { Compression } from './compression.ts';
import { CompressionTurns } from './compression-turns.ts';
import { GzipBlocks } from './gzip-blocks.ts';

/** One per server, since it keeps compressed parts of lists. */
export function gzipCompression(): Compression {
  const turns = new CompressionTurns();
  const whole = new GzipBlocks(turns);
  const bySelection = new Map<string, GzipBlocks>();
  const blocksOf = (selection: string): GzipBlocks => {
    if (selection === '') return whole;
    const blocks = bySelection.get(selection) ?? new GzipBlocks(turns, selectionBytesMax);
    bySelection.delete(selection);
    bySelection.set(selection, blocks);
    forgetOldest(bySelection);
    return blocks;
  };
  return {
    whole: (chunks, by) => turns.take(by, bytesOf(chunks), () => gzip(chunks)),
    list: (parts, selection, by) => blocksOf(selection).compress(parts, by),
  };
}

/** The maximum number of selections whose compressed blocks are kept: enough for the nodes of a medium cluster, say. */
const selectionsMax = 256;
/** The limits per selection and in total. */
const selectionBytesMax = 1024 * 1024;
const selectionsBytesMax = 32 * 1024 * 1024;

/** Evicts the selections that were least recently used, which come first. */
function forgetOldest(bySelection: Map<string, GzipBlocks>): void {
  let bytes = 0;
  for (const { keptBytes } of bySelection.values()) bytes += keptBytes;
  for (const [oldest, { keptBytes }] of bySelection) {
    if (bySelection.size <= selectionsMax && bytes <= selectionsBytesMax) return;
    bySelection.delete(oldest);
    bytes -= keptBytes;
  }
}

const bytesOf = (chunks: readonly Uint8Array[]): number =>
  chunks.reduce((bytes, chunk) => bytes + chunk.length, 0);

/** The chunks in sequence, compressed. */
function gzip(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stream = createGzip({ level: 1, chunkSize: 64 * 1024 });
    const compressed: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => compressed.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => resolve(Buffer.concat(compressed)));
    for (let from = 0; from < chunks.length;) {
      let to = from;
      for (let bytes = 0; to < chunks.length && bytes < blockBytes; to++) bytes += chunks[to]!.length;
      stream.write(Buffer.concat(chunks.slice(from, to) as Uint8Array[]));
      from = to;
    }
    stream.end();
  });
}

/** Each write goes to another thread and back, so small chunks are combined. */
const blockBytes = 1024 * 1024;
