/** What upstream's merge leaves of a patch: it executes directives in place, and then shows the rest in its errors. */
import {
  deleteFromPrimitiveList,
  directiveMarker,
  listNameOf,
  retainKeysDirective,
  setElementOrder,
} from './directives.ts';
import { lookUpField, lookUpList } from './lookup.ts';
import { isMap, kindOfValue, type JsonMap } from './values.ts';
import type { Type } from '../type.ts';

/** @param original as it was before the merge @throws StrategicMergeError where the merge itself did */
export function spentPatch(original: JsonMap, patch: JsonMap, type: Type): JsonMap {
  if (Object.hasOwn(patch, directiveMarker)) {
    const { [directiveMarker]: directive, ...rest } = patch;
    return directive === 'replace' ? rest : patch;
  }
  const { [retainKeysDirective]: retained, ...rest } = patch;
  const kept = Array.isArray(retained) ? only(original, new Set<unknown>(retained)) : original;
  for (const directive of Object.keys(rest).filter((name) => name.startsWith(setElementOrder))) {
    delete rest[directive];
    delete rest[listNameOf(directive, setElementOrder)];
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, spentMember(kept, name, value, type)]),
  );
}

const only = (map: JsonMap, names: ReadonlySet<unknown>): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([name]) => names.has(name)));

function spentMember(original: JsonMap, name: string, value: unknown, type: Type): unknown {
  if (value === null || name.startsWith(deleteFromPrimitiveList)) return value;
  const current = original[name];
  if (kindOfValue(current) !== kindOfValue(value)) return withoutNulls(value);
  if (isMap(value)) {
    const { strategy, type: below } = lookUpField(type, name);
    return strategy === 'replace' ? value : spentPatch(current as JsonMap, value, below);
  }
  if (!Array.isArray(value)) return value;
  const { strategy, mergeKey, type: element } = lookUpList(type, name);
  if (strategy !== 'merge' || mergeKey === '') return value;
  return value.map((item) => spentElement(current as readonly unknown[], item, mergeKey, element));
}

function spentElement(list: readonly unknown[], item: unknown, mergeKey: string, element: Type): unknown {
  if (!isMap(item) || Object.hasOwn(item, directiveMarker)) return item;
  const same = list.find((one) => isMap(one) && one[mergeKey] === item[mergeKey]);
  return isMap(same) ? spentPatch(same, item, element) : item;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (isMap(item) ? withoutNulls(item) : item));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}
