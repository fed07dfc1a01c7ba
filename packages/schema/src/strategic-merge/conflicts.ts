/** Detects whether two patches change the same field differently. */

import { directiveMarker, retainKeysDirective } from './directives.ts';
import { lookUpField, lookUpList, type FieldMerge } from './lookup.ts';
import { goValue } from '../scalars/go-value.ts';
import { deepEqual, elementKindOf, isMap, mergeKeyOf, type JsonMap } from './values.ts';
import type { Type } from '../type.ts';

export function haveConflicts(left: JsonMap, right: JsonMap, type: Type): boolean {
  if (Object.hasOwn(left, directiveMarker) || Object.hasOwn(right, directiveMarker)) {
    if (left[directiveMarker] !== right[directiveMarker]) return true;
  }
  return Object.keys(left)
    .filter((name) => name !== directiveMarker && name !== retainKeysDirective && Object.hasOwn(right, name))
    .some((name) => membersConflict(left[name], right[name], type, name));
}

function membersConflict(left: unknown, right: unknown, type: Type, name: string): boolean {
  if (isMap(left)) {
    if (!isMap(right)) return true;
    const { strategy, type: below } = lookUpField(type, name);
    if (left[directiveMarker] !== right[directiveMarker]) return true;
    return strategy !== 'replace' && haveConflicts(left, right, below);
  }
  if (Array.isArray(left)) return !Array.isArray(right) || listsConflict(left, right, lookUpList(type, name));
  return !deepEqual(left, right);
}

function listsConflict(
  left: readonly unknown[],
  right: readonly unknown[],
  { strategy, mergeKey, type }: FieldMerge,
): boolean {
  const kind = elementKindOf(left, right);
  if (strategy !== 'merge') {
    if (left.length !== right.length) return true;
    const [a, b] = kind === 'map' ? [left, right] : [sortedUnique(left), sortedUnique(right)];
    return a.some((item, index) =>
      isMap(item) && isMap(b[index]) ? haveConflicts(item, b[index], type) : !deepEqual(item, b[index]),
    );
  }
  if (kind === 'scalar') return false;
  const others = new Map(right.map((item) => [goValue(mergeKeyOf(item, mergeKey)), item as JsonMap]));
  return left.some((item) => {
    const other = others.get(goValue(mergeKeyOf(item, mergeKey)));
    return other !== undefined && haveConflicts(item as JsonMap, other, type);
  });
}

const sortedUnique = (list: readonly unknown[]): unknown[] =>
  [...new Set(list)].sort((a, b) => (goValue(a) < goValue(b) ? -1 : 1));
