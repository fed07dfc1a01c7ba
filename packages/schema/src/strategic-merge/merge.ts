/** Merges a patch into an object. Neither is modified; unchanged parts are shared. */

import { badArgument, badPatchType, badRetainKeys, noMergeKey, StrategicMergeError } from './error.ts';
import {
  deleteFromPrimitiveList,
  directiveMarker,
  listNameOf,
  nothing,
  retainKeysDirective,
  setElementOrder,
  withoutDirectives,
} from './directives.ts';
import { ordered, partition } from './list-order.ts';
import { lookUpField, lookUpList } from './lookup.ts';
import { goValue } from '../scalars/go-value.ts';
import { elementKindOf, isMap, kindOfValue, mergeKeyOf, type JsonMap } from './values.ts';
import { resolved, type Type } from '../type.ts';

/** Directives are executed, and `null` deletes. @throws StrategicMergeError */
export function mergeMap(original: JsonMap | undefined, patch: JsonMap, type: Type): JsonMap {
  if (Object.hasOwn(patch, directiveMarker)) return replacedMap(patch);
  const merged: JsonMap = { ...original };
  const rest: JsonMap = { ...patch };
  applyRetainKeys(merged, rest);
  applyElementOrders(merged, rest, type);
  for (const [name, value] of Object.entries(rest)) mergeMember(merged, name, value, type);
  return merged;
}

function replacedMap(patch: JsonMap): JsonMap {
  const { [directiveMarker]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw badPatchType(directive, patch);
}

function mergeMember(merged: JsonMap, name: string, value: unknown, type: Type): void {
  if (name.startsWith(deleteFromPrimitiveList)) {
    deleteScalars(merged, listNameOf(name, deleteFromPrimitiveList), value);
    return;
  }
  if (value === null) {
    delete merged[name];
    return;
  }
  const current = merged[name];
  if (!Object.hasOwn(merged, name) || kindOfValue(current) !== kindOfValue(value)) {
    place(merged, name, withoutDirectives(value, true));
  } else if (isMap(value)) {
    const { strategy, type: below } = lookUpField(type, name);
    merged[name] = strategy === 'replace' ? value : mergeMap(current as JsonMap, value, below);
  } else if (Array.isArray(value)) {
    const { strategy, mergeKey, type: element } = lookUpList(type, name);
    merged[name] = strategy === 'merge' ? mergeList(current as unknown[], value, element, mergeKey) : value;
  } else {
    place(merged, name, withoutDirectives(value, false));
  }
}

function place(merged: JsonMap, name: string, value: unknown): void {
  if (value === nothing) delete merged[name];
  else merged[name] = value;
}

function deleteScalars(merged: JsonMap, name: string, value: unknown): void {
  const current = merged[name];
  if (!Array.isArray(current)) return;
  if (!Array.isArray(value)) throw badArgument('list', value);
  const gone = new Set<unknown>(value);
  merged[name] = current.filter((item) => !gone.has(item));
}

/** `$retainKeys` removes members that it doesn't list. */
function applyRetainKeys(merged: JsonMap, rest: JsonMap): void {
  if (!Object.hasOwn(rest, retainKeysDirective)) return;
  const retained = rest[retainKeysDirective];
  delete rest[retainKeysDirective];
  if (!Array.isArray(retained)) throw badRetainKeys();
  const names = new Set<unknown>(retained);
  for (const [name, value] of Object.entries(rest)) {
    const isDirective = name.startsWith(deleteFromPrimitiveList) || name.startsWith(setElementOrder);
    if (value !== null && !isDirective && !names.has(name)) throw badRetainKeys();
  }
  for (const name of Object.keys(merged)) if (!names.has(name)) delete merged[name];
}

/** Processes `$setElementOrder/x` together with the patch's list `x`, which needs no further processing. */
function applyElementOrders(merged: JsonMap, rest: JsonMap, type: Type): void {
  for (const [directive, order] of Object.entries(rest)) {
    if (!directive.startsWith(setElementOrder)) continue;
    delete rest[directive];
    if (!Array.isArray(order)) throw badArgument('list', order);
    applyElementOrder(merged, rest, listNameOf(directive, setElementOrder), order, type);
  }
}

function applyElementOrder(
  merged: JsonMap,
  rest: JsonMap,
  name: string,
  order: readonly unknown[],
  type: Type,
): void {
  const current = listAt(merged, name);
  const patched = listAt(rest, name);
  const { type: element, strategy, mergeKey } = lookUpList(type, name);
  checkOrder(patched ?? [], order, mergeKey);
  if (current === undefined && patched === undefined) return;
  let list: unknown[];
  if (patched === undefined) list = current!;
  else if (current === undefined) list = withoutDirectives(patched, false) as unknown[];
  else list = strategy === 'merge' ? mergeList(current, patched, element, mergeKey) : patched;
  const kind = elementKindOf(current ?? [], patched ?? []);
  merged[name] = ordered(partition(list, order, mergeKey), order, current ?? [], mergeKey, kind);
  delete rest[name];
}

function listAt(map: JsonMap, name: string): unknown[] | undefined {
  if (!Object.hasOwn(map, name)) return undefined;
  const list = map[name];
  if (!Array.isArray(list)) throw badArgument('list', list);
  return list;
}

/** The patch's elements must be in the order list, in that order. */
function checkOrder(patched: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (patched.length === 0 || order.length === 0) return;
  const identify = (item: unknown): unknown => (mergeKey === '' ? item : mergeKeyOf(item, mergeKey));
  const content = patched.filter((item) => {
    if (mergeKey !== '' && !isMap(item)) throw badArgument('map', item);
    return !(mergeKey !== '' && (item as JsonMap)[directiveMarker] === 'delete');
  });
  // Directives are skipped only while the order has elements left.
  let next = 0;
  let at = 0;
  while (next < content.length && at < order.length) {
    const item = content[next];
    if (isMap(item) && Object.hasOwn(item, directiveMarker)) next++;
    else if (identify(item) === identify(order[at++])) next++;
  }
  if (next >= content.length) return;
  throw new StrategicMergeError(
    `The order in patch list:\n${goValue(patched)}\n doesn't match ${setElementOrder} list:\n${goValue(order)}\n`,
  );
}

function mergeList(
  original: readonly unknown[],
  patch: readonly unknown[],
  element: Type,
  mergeKey: string,
): unknown[] {
  if (original.length === 0 && patch.length === 0) return [];
  const kind = elementKindOf(original, patch);
  if (kind === 'scalar') {
    const merged = [...new Set([...original, ...patch])];
    return ordered(partition(merged, patch, mergeKey), patch, original, mergeKey, kind);
  }
  if (mergeKey === '') {
    throw new StrategicMergeError(`cannot merge lists without merge key for ${resolved(element).form}`);
  }
  const { kept, content } = carryOutDirectives(original as JsonMap[], patch as JsonMap[], mergeKey);
  const merged = [...kept];
  for (const item of content) {
    const key = mergeKeyOf(item, mergeKey);
    const at = merged.findIndex((candidate) => candidate[mergeKey] === key);
    if (at < 0) merged.push(item);
    else merged[at] = mergeMap(merged[at], item, element);
  }
  return ordered(partition(merged, content, mergeKey), content, kept, mergeKey, kind);
}

/** Executes `$patch: delete` and `$patch: replace` among the elements of a list. */
function carryOutDirectives(
  original: readonly JsonMap[],
  patch: readonly JsonMap[],
  mergeKey: string,
): { kept: readonly JsonMap[]; content: readonly JsonMap[] } {
  const content: JsonMap[] = [];
  let kept = original;
  let isReplaced = false;
  for (const item of patch) {
    const directive = item[directiveMarker];
    if (directive === undefined) {
      content.push(item);
    } else if (directive === 'delete') {
      if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
      kept = kept.filter((candidate) => candidate[mergeKey] !== item[mergeKey]);
    } else if (directive === 'replace') {
      isReplaced = true;
    } else if (directive === 'merge') {
      throw new StrategicMergeError('merging lists cannot yet be specified in the patch');
    } else {
      throw badPatchType(directive, item);
    }
  }
  return isReplaced ? { kept: content, content: [] } : { kept, content };
}
