/** Plain JSON values, as patches see them. */

import { noMergeKey, badArgument, listOfLists, StrategicMergeError } from './error.ts';
import { goValue } from '../scalars/go-value.ts';
import { isRawNumber } from '../scalars/raw-number.ts';

export type JsonMap = Record<string, unknown>;

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/** The kinds of values that a patch must not mix. */
export function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value !== 'object') return typeof value;
  return isRawNumber(value) ? 'float64' : 'map';
}

export type ElementKind = 'map' | 'scalar';

/** Whether the elements of all lists are maps or scalars. @throws StrategicMergeError when they differ */
export function elementKindOf(...lists: readonly (readonly unknown[])[]): ElementKind {
  let kind: string | undefined;
  for (const element of lists.flat()) {
    const own = kindOfValue(element);
    if (kind === undefined && own === 'list') throw listOfLists();
    if (kind !== undefined && kind !== own) {
      throw new StrategicMergeError(`list element types are not identical: ${goValue(lists)}`);
    }
    kind = own;
  }
  if (kind === undefined) throw new StrategicMergeError('no elements in any of the given slices');
  return kind === 'map' ? 'map' : 'scalar';
}

/** @throws StrategicMergeError when the element is not a map or has no merge key */
export function mergeKeyOf(element: unknown, mergeKey: string): unknown {
  if (!isMap(element)) throw badArgument('map', element);
  if (!Object.hasOwn(element, mergeKey)) throw noMergeKey(element, mergeKey);
  return element[mergeKey];
}

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && areListsEqual(a, b);
  if (isMap(a) && isMap(b)) return areMapsEqual(a, b);
  return isRawNumber(a) && isRawNumber(b) && JSON.stringify(a) === JSON.stringify(b);
}

function areListsEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!deepEqual(a[at], b[at])) return false;
  return true;
}

/** Without lists of names, since most comparisons of a write are of equal values. */
function areMapsEqual(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  let more = 0;
  for (const name in a) {
    if (!Object.hasOwn(b, name) || !deepEqual(a[name], b[name])) return false;
    more++;
  }
  for (const _name in b) more--;
  return more === 0;
}
