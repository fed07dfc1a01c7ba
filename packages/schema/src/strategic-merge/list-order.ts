/**
 * The order of a merged list: elements of the patch are in the patch's order, elements that only the server has in the
 * server's, and both are interleaved so that the server's order changes least.
 */

import { StrategicMergeError } from './error.ts';
import { mergeKeyOf, isMap, type ElementKind } from './values.ts';
import { directiveMarker } from './directives.ts';

export interface Parts {
  readonly patchItems: readonly unknown[];
  readonly serverOnlyItems: readonly unknown[];
}

/**
 * Splits a merged list into elements that the patch names and others. `mergeKey` is empty for scalars.
 *
 * @throws StrategicMergeError when a name that is no map comes before the one that is sought
 */
export function partition(merged: readonly unknown[], named: readonly unknown[], mergeKey: string): Parts {
  const position = positionsOf(named, mergeKey);
  const noMap = mergeKey === '' ? -1 : named.findIndex((name) => !isMap(name));
  const patchItems: unknown[] = [];
  const serverOnlyItems: unknown[] = [];
  for (const item of merged) {
    if (mergeKey !== '') mergeKeyOf(item, mergeKey);
    const at = position(item);
    if (noMap >= 0 && (at < 0 || at > noMap)) {
      throw new StrategicMergeError(`value for key ${noMap} is not a map`);
    }
    (at >= 0 ? patchItems : serverOnlyItems).push(item);
  }
  return { patchItems, serverOnlyItems };
}

/** @throws StrategicMergeError when an element has no merge key */
export function ordered(
  { patchItems, serverOnlyItems }: Parts,
  patchOrder: readonly unknown[],
  serverOrder: readonly unknown[],
  mergeKey: string,
  kind: ElementKind,
): unknown[] {
  const patch = sortedBy(patchItems, patchOrder, mergeKey, kind);
  const serverOnly = sortedBy(serverOnlyItems, serverOrder, mergeKey, kind);
  return woven(serverOnly, patch, positionsOf(serverOrder, kind === 'map' ? mergeKey : ''));
}

/** Sorts by the positions in `order`; elements to be deleted come last. */
function sortedBy(
  items: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string,
  kind: ElementKind,
): unknown[] {
  const deletions: unknown[] = [];
  let sorted = [...items];
  if (kind === 'map') {
    for (const item of [...items, ...order]) mergeKeyOf(item, mergeKey);
    sorted = items.filter((item) => {
      const isDeletion = (item as Record<string, unknown>)[directiveMarker] === 'delete';
      if (isDeletion) deletions.push(item);
      return !isDeletion;
    });
  }
  const position = positionsOf(order, kind === 'map' ? mergeKey : '');
  insertionSort(sorted, (a, b) => {
    const [first, second] = [position(a), position(b)];
    return first >= 0 && second >= 0 ? first < second : true;
  });
  return [...sorted, ...deletions];
}

/** Upstream's `less` is not an order for unknown elements, so the algorithm, an insertion sort, matters. */
function insertionSort(items: unknown[], less: (a: unknown, b: unknown) => boolean): void {
  for (let end = 1; end < items.length; end++) {
    for (let at = end; at > 0 && less(items[at], items[at - 1]); at--) {
      [items[at - 1], items[at]] = [items[at], items[at - 1]];
    }
  }
}

function woven(
  left: readonly unknown[],
  right: readonly unknown[],
  position: (item: unknown) => number,
): unknown[] {
  const all: unknown[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const takeLeft =
      j >= right.length || (i < left.length && isBefore(position(left[i]), position(right[j])));
    all.push(takeLeft ? left[i++] : right[j++]);
  }
  return all;
}

const isBefore = (a: number, b: number): boolean => a >= 0 && b >= 0 && a < b;

/** The first index of an equal element, -1 when there is none. */
function positionsOf(order: readonly unknown[], mergeKey: string): (item: unknown) => number {
  const identify = identityOf(mergeKey);
  const positions = new Map<unknown, number>();
  for (const [index, item] of order.entries()) {
    const identity = identify(item);
    if (!positions.has(identity)) positions.set(identity, index);
  }
  return (item) => positions.get(identify(item)) ?? -1;
}

const identityOf =
  (mergeKey: string) =>
  (item: unknown): unknown =>
    mergeKey === '' ? item : isMap(item) ? item[mergeKey] : undefined;
