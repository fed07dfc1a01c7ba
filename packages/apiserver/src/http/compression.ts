/** The interface for compressing large responses; platforms implement it. */
import type { CompressedFor } from './compression-turns.ts';

/** The parts of a list, in the order in which they are sent. */
export interface ListParts {
  readonly head: Uint8Array;
  /** The items' bytes, shared with other readers: equal bytes are the same array. */
  readonly items: readonly Uint8Array[];
  /** The number of bytes to omit from the beginning of each item. */
  readonly skipped: number;
  /** The separator between items, and the one before the first item. */
  readonly separator: Uint8Array;
  readonly firstSeparator: Uint8Array;
  readonly tail: Uint8Array;
}

export interface Compression {
  whole(chunks: readonly Uint8Array[], by: CompressedFor): Promise<Uint8Array>;
  /**
   * Compresses a list that will be requested again: compressed parts are reused while their items stay the same.
   * @param selection the selection of the items, which determines an item's neighbors; empty for whole collections
   */
  list(parts: ListParts, selection: string, by: CompressedFor): Promise<Uint8Array[]>;
}

/** The parts in sequence. */
export function chunksOf({ head, items, skipped, separator, firstSeparator, tail }: ListParts): Uint8Array[] {
  const chunks = [head];
  let before = firstSeparator;
  for (const item of items) {
    if (before.length > 0) chunks.push(before);
    chunks.push(skipped === 0 ? item : item.subarray(skipped));
    before = separator;
  }
  chunks.push(tail);
  return chunks;
}

/** @param itemsBytes the total size of all items, including the omitted bytes */
export function bytesOfParts(
  { head, items, skipped, separator, firstSeparator, tail }: ListParts,
  itemsBytes: number,
): number {
  const around = head.length + tail.length;
  if (items.length === 0) return around;
  const between = firstSeparator.length + (items.length - 1) * separator.length;
  return around + between + itemsBytes - items.length * skipped;
}
