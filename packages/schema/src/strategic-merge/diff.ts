/** The patch that leads from one object to another. */

import {
  deleteFromPrimitiveList,
  directiveMarker,
  retainKeysDirective,
  setElementOrder,
} from './directives.ts';
import { StrategicMergeError } from './error.ts';
import { sortedBy } from './list-order.ts';
import { lookUpField, lookUpList, type FieldMerge } from './lookup.ts';
import { goValue } from '../scalars/go-value.ts';
import { deepEqual, elementKindOf, isMap, kindOfValue, mergeKeyOf, type JsonMap } from './values.ts';
import type { Type } from '../type.ts';

export interface DiffOptions {
  readonly ignoreDeletions?: boolean;
  readonly ignoreChangesAndAdditions?: boolean;
  /** Whether lists get a `$setElementOrder`. */
  readonly elementOrder?: boolean;
  /** Whether this map gets a `$retainKeys`. */
  readonly retainKeys?: boolean;
}

/** @throws StrategicMergeError */
export function diffMaps(original: JsonMap, modified: JsonMap, type: Type, options: DiffOptions): JsonMap {
  const patch: JsonMap = {};
  for (const [name, value] of Object.entries(modified)) {
    if (!Object.hasOwn(original, name)) {
      if (!options.ignoreChangesAndAdditions) patch[name] = value;
    } else if (name === directiveMarker) {
      diffDirective(original[name], value, patch);
    } else {
      diffMember(patch, name, original[name], value, type, options);
    }
  }
  if (!options.ignoreDeletions) {
    for (const name of Object.keys(original)) if (!Object.hasOwn(modified, name)) patch[name] = null;
  }
  const retained = options.retainKeys ? Object.keys(modified).filter((name) => modified[name] !== null) : [];
  const isCleared = Object.keys(original).some((name) => !Object.hasOwn(modified, name));
  if (retained.length > 0 && (Object.keys(patch).length > 0 || isCleared)) {
    patch[retainKeysDirective] = retained.sort();
  }
  return patch;
}

function diffDirective(original: unknown, modified: unknown, patch: JsonMap): void {
  if (typeof original !== 'string' || typeof modified !== 'string') {
    throw new StrategicMergeError(`invalid value for special key: ${directiveMarker}`);
  }
  if (original !== modified) patch[directiveMarker] = modified;
}

function diffMember(
  patch: JsonMap,
  name: string,
  original: unknown,
  modified: unknown,
  type: Type,
  options: DiffOptions,
): void {
  const sameKind = kindOfValue(original) === kindOfValue(modified);
  if (!sameKind || !(isMap(original) || Array.isArray(original))) {
    if (!options.ignoreChangesAndAdditions && !(sameKind && deepEqual(original, modified)))
      patch[name] = modified;
    return;
  }
  // An unknown field matters only when it differs.
  if (deepEqual(original, modified)) {
    if (!isDescribed(type, name, original)) return;
  }
  if (isMap(original))
    diffMapMember(patch, name, original, modified as JsonMap, lookUpField(type, name), options);
  else
    diffListMember(
      patch,
      name,
      original as unknown[],
      modified as unknown[],
      lookUpList(type, name),
      options,
    );
}

function isDescribed(type: Type, name: string, value: unknown): boolean {
  try {
    if (isMap(value)) lookUpField(type, name);
    else lookUpList(type, name);
    return true;
  } catch (error) {
    if (error instanceof StrategicMergeError) return false;
    throw error;
  }
}

function diffMapMember(
  patch: JsonMap,
  name: string,
  original: JsonMap,
  modified: JsonMap,
  { type, strategy, retainKeys }: FieldMerge,
  options: DiffOptions,
): void {
  if (strategy === 'replace') {
    if (!options.ignoreChangesAndAdditions) patch[name] = modified;
    return;
  }
  const below = diffMaps(original, modified, type, { ...options, retainKeys });
  if (Object.keys(below).length > 0) patch[name] = below;
}

function diffListMember(
  patch: JsonMap,
  name: string,
  original: readonly unknown[],
  modified: readonly unknown[],
  { type, strategy, retainKeys, mergeKey }: FieldMerge,
  options: DiffOptions,
): void {
  if (strategy !== 'merge') {
    if (!options.ignoreChangesAndAdditions && !deepEqual(original, modified)) patch[name] = modified;
    return;
  }
  const { added, deleted, order } = diffLists(original, modified, type, mergeKey, { ...options, retainKeys });
  if (added.length > 0) patch[name] = added;
  if (deleted.length > 0) patch[`${deleteFromPrimitiveList}/${name}`] = deleted;
  if (order.length > 0) patch[`${setElementOrder}/${name}`] = order;
}

interface ListDiff {
  readonly added: readonly unknown[];
  readonly deleted: readonly unknown[];
  readonly order: readonly unknown[];
}

function diffLists(
  original: readonly unknown[],
  modified: readonly unknown[],
  element: Type,
  mergeKey: string,
  options: DiffOptions,
): ListDiff {
  if (original.length === 0) {
    return { added: options.ignoreChangesAndAdditions ? [] : modified, deleted: [], order: [] };
  }
  const kind = elementKindOf(original, modified);
  return kind === 'map'
    ? diffMapLists(original as JsonMap[], modified as JsonMap[], element, mergeKey, options)
    : diffScalarLists(original, modified, mergeKey, options);
}

function diffMapLists(
  original: readonly JsonMap[],
  modified: readonly JsonMap[],
  element: Type,
  mergeKey: string,
  options: DiffOptions,
): ListDiff {
  const { changed, deletions } = diffElements(original, modified, element, mergeKey, options);
  const added = [...sortedBy(changed, modified, mergeKey, 'map'), ...deletions];
  const isOrderSame =
    original.length === modified.length &&
    original.every((item, index) => mergeKeyOf(item, mergeKey) === mergeKeyOf(modified[index], mergeKey));
  const needsOrder =
    options.elementOrder === true &&
    ((!options.ignoreChangesAndAdditions && (added.length > 0 || !isOrderSame)) ||
      (!options.ignoreDeletions && added.length > 0));
  return {
    added,
    deleted: [],
    order: needsOrder ? modified.map((item) => ({ [mergeKey]: item[mergeKey] })) : [],
  };
}

function diffElements(
  original: readonly JsonMap[],
  modified: readonly JsonMap[],
  element: Type,
  mergeKey: string,
  options: DiffOptions,
): { changed: JsonMap[]; deletions: JsonMap[] } {
  const before = new Map(original.map((item) => [goValue(mergeKeyOf(item, mergeKey)), item]));
  const after = new Map(modified.map((item) => [goValue(mergeKeyOf(item, mergeKey)), item]));
  const changed: JsonMap[] = [];
  const deletions: JsonMap[] = [];
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [was, is] = [before.get(key), after.get(key)];
    if (was === undefined) {
      if (!options.ignoreChangesAndAdditions) changed.push(is!);
    } else if (is === undefined) {
      if (!options.ignoreDeletions)
        deletions.push({ [mergeKey]: was[mergeKey], [directiveMarker]: 'delete' });
    } else {
      const patch = diffMaps(was, is, element, options);
      if (Object.keys(patch).length > 0) changed.push({ ...patch, [mergeKey]: is[mergeKey] });
    }
  }
  return { changed, deletions };
}

function diffScalarLists(
  original: readonly unknown[],
  modified: readonly unknown[],
  mergeKey: string,
  options: DiffOptions,
): ListDiff {
  const left = countsOf(original);
  const right = countsOf(modified);
  const added: unknown[] = [];
  for (const [value, count] of right) {
    for (let more = count - (left.get(value) ?? 0); more > 0; more--) added.push(value);
  }
  const deleted = [...left.keys()].filter((value) => (left.get(value) ?? 0) > (right.get(value) ?? 0));
  const kept = options.ignoreDeletions ? [] : deleted.sort(byText);
  const isOrdered =
    options.elementOrder === true &&
    ((!options.ignoreDeletions && kept.length > 0) ||
      (!options.ignoreChangesAndAdditions && !deepEqual(original, modified)));
  return {
    added: options.ignoreChangesAndAdditions
      ? []
      : sortedBy(added.sort(byText), modified, mergeKey, 'scalar'),
    deleted: kept,
    order: isOrdered ? modified : [],
  };
}

const byText = (a: unknown, b: unknown): number => (goValue(a) < goValue(b) ? -1 : 1);

function countsOf(list: readonly unknown[]): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
