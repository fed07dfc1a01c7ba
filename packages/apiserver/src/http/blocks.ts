/** Bodies of many small pieces, joined to blocks that are worth a write each, as fast as the client reads. */
import type { ListParts } from './compression.ts';

/** A frame of HTTP/2 has no more. */
export const blockBytes = 256 * 1024;
/** Blocks that are kept to be filled again: 16 MiB. */
const idleBlocksMax = 64;

const idleBlocks: Uint8Array[] = [];
/** Those that are out, and nobody else's bytes. */
const blocksOut = new WeakSet<ArrayBufferLike>();

/** The chunks one after the other. A block is the reader's until it is given back. */
export function* blocksOf(chunks: readonly Uint8Array[]): Generator<Uint8Array, void, void> {
  for (let next = 0; next < chunks.length;) {
    const from = next;
    let bytes = chunks[next++]!.length;
    while (next < chunks.length && bytes + chunks[next]!.length <= blockBytes)
      bytes += chunks[next++]!.length;
    yield next - from === 1 ? chunks[from]! : joined(chunks, from, next, bytes);
  }
}

function joined(chunks: readonly Uint8Array[], from: number, to: number, bytes: number): Uint8Array {
  const block = takeBlock(bytes);
  let at = 0;
  for (let index = from; index < to; index++) {
    block.set(chunks[index]!, at);
    at += chunks[index]!.length;
  }
  return block;
}

/** The same of a list, without a view for each of its items. */
export function* blocksOfList(parts: ListParts): Generator<Uint8Array, void, void> {
  const { head, items, skipped, tail } = parts;
  let bytes = head.length;
  let from = 0;
  for (let next = 0; next < items.length; next++) {
    const itemBytes = separatorOf(parts, next).length + items[next]!.length - skipped;
    if (next > from && bytes + itemBytes > blockBytes) {
      yield listBlock(parts, from, next, bytes);
      from = next;
      bytes = 0;
    }
    bytes += itemBytes;
  }
  yield listBlock(parts, from, items.length, bytes + tail.length);
}

const separatorOf = ({ firstSeparator, separator }: ListParts, index: number): Uint8Array =>
  index === 0 ? firstSeparator : separator;

/**
 * Filled from behind: an item is written whole, and what is to be left out of it is then overwritten by what
 * comes before it.
 */
function listBlock(parts: ListParts, from: number, to: number, bytes: number): Uint8Array {
  const { head, items, skipped, tail } = parts;
  const block = takeBlock(bytes);
  let at = bytes;
  if (to === items.length) block.set(tail, (at -= tail.length));
  for (let index = to - 1; index >= from; index--) {
    const item = items[index]!;
    at -= item.length - skipped;
    if (at >= skipped) block.set(item, at - skipped);
    else block.set(item.subarray(skipped), at);
    const separator = separatorOf(parts, index);
    at -= separator.length;
    for (let i = 0; i < separator.length; i++) block[at + i] = separator[i]!;
  }
  if (from === 0) block.set(head, 0);
  return block;
}

/** Small ones come from Node's pool and are not worth keeping; larger ones are seldom. */
function takeBlock(bytes: number): Uint8Array {
  if (bytes > blockBytes || bytes < blockBytes / 4) return Buffer.allocUnsafe(bytes);
  const whole = idleBlocks.pop() ?? new Uint8Array(blockBytes);
  blocksOut.add(whole.buffer);
  return whole.subarray(0, bytes);
}

/** The block was written, and nobody reads it any more. What is none is left alone. */
export function giveBack({ buffer }: Uint8Array): void {
  if (blocksOut.delete(buffer) && idleBlocks.length < idleBlocksMax) idleBlocks.push(new Uint8Array(buffer));
}
