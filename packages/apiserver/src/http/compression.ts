/** How large answers are compressed; the platform brings it along. */
import type { CompressedFor } from './compression-turns.ts';

/** A list's parts, in the order in which they are sent. */
export interface ListParts {
  readonly head: Uint8Array;
  /** The items' bytes, shared with whoever else reads them: the same bytes are the same array. */
  readonly items: readonly Uint8Array[];
  /** Bytes at the beginning of each item that are left out. */
  readonly skipped: number;
  /** Between the items, and before the first of them. */
  readonly separator: Uint8Array;
  readonly firstSeparator: Uint8Array;
  readonly tail: Uint8Array;
}

export interface Compression {
  whole(chunks: readonly Uint8Array[], by: CompressedFor): Promise<Uint8Array>;
  /**
   * For lists that come again: what was compressed once is used again while the items are the same.
   * @param selection what chose the items; empty for whole collections. Others have other neighbours
   */
  list(parts: ListParts, selection: string, by: CompressedFor): Promise<Uint8Array[]>;
}

/** The parts one after the other. */
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

/** @param itemsBytes of all items together, with what is left out of them */
export function bytesOfParts(
  { head, items, skipped, separator, firstSeparator, tail }: ListParts,
  itemsBytes: number,
): number {
  const around = head.length + tail.length;
  if (items.length === 0) return around;
  const between = firstSeparator.length + (items.length - 1) * separator.length;
  return around + between + itemsBytes - items.length * skipped;
}
