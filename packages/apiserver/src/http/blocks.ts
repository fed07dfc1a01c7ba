/** Joins bodies of many small pieces into blocks that are worth a write each, as fast as the client reads. */
import type { ListParts } from './compression.ts';

/** The maximum size of an HTTP/2 frame. */
export const blockBytes = 256 * 1024;
/** The maximum number of idle blocks kept for reuse: 16 MiB. */
const idleBlocksMax = 64;

const idleBlocks: Uint8Array[] = [];
/** The buffers of blocks in use. */
const blocksOut = new WeakSet<ArrayBufferLike>();

/** The chunks in sequence. A block belongs to the reader until it is given back. */
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

/** Does the same for a list, without creating a view for each item. */
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

/** Filled from the end: an item is written whole, and its skipped prefix is then overwritten by what precedes it. */
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

/** Small buffers come from Node's pool and are not worth keeping; larger ones are rare. */
function takeBlock(bytes: number): Uint8Array {
  if (bytes > blockBytes || bytes < blockBytes / 4) return Buffer.allocUnsafe(bytes);
  const whole = idleBlocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  blocksOut.add(whole.buffer);
  return whole.subarray(0, bytes);
}

/** Returns a block that nobody reads any more. Other buffers are ignored. */
export function giveBack({ buffer }: Uint8Array): void {
  if (blocksOut.delete(buffer) && idleBlocks.length < idleBlocksMax) idleBlocks.push(new Uint8Array(buffer));
}
