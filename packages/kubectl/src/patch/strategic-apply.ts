/** Applies a strategic merge patch: merges objects, merges lists by key, and follows the patch's directives. */
import type { PatchRule, PatchSchema } from './patch-schema.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function applyStrategicPatch(original: unknown, patch: Json, schema: PatchSchema): unknown {
  const { $patch: directive, $retainKeys: retained, ...fields } = patch;
  if (directive === 'replace') return fields;
  if (directive === 'delete') return {};
  const merged: Json = isObject(original) ? { ...original } : {};
  if (Array.isArray(retained)) {
    for (const key of Object.keys(merged)) if (!retained.includes(key)) delete merged[key];
  }
  for (const [key, value] of Object.entries(fields)) {
    if (key.startsWith('$setElementOrder/')) continue;
    if (key.startsWith('$deleteFromPrimitiveList/')) {
      const name = key.slice(key.indexOf('/') + 1);
      merged[name] = (Array.isArray(merged[name]) ? merged[name] : []).filter(
        (one: unknown) => !(value as unknown[]).includes(one),
      );
      continue;
    }
    if (value === null) delete merged[key];
    else merged[key] = mergeValue(merged[key], value, schema.field(key), patch[`$setElementOrder/${key}`]);
  }
  for (const key of Object.keys(fields).filter((one) => one.startsWith('$setElementOrder/'))) {
    const name = key.slice(key.indexOf('/') + 1);
    if (!(name in fields)) merged[name] = inOrder(merged[name], fields[key], schema.field(name).mergeKey);
  }
  return merged;
}

function mergeValue(current: unknown, value: unknown, rule: PatchRule, order: unknown): unknown {
  if (isObject(value)) {
    if (rule.strategies.includes('replace')) return value;
    return applyStrategicPatch(isObject(current) ? current : {}, value, rule.child);
  }
  if (!Array.isArray(value)) return value;
  if (!rule.strategies.includes('merge')) return value.filter((item) => !isDirective(item));
  const merged =
    rule.mergeKey === undefined
      ? mergePlain(current, value)
      : mergeByKey(current, value, rule, rule.mergeKey);
  return inOrder(merged, order, rule.mergeKey);
}

const isDirective = (item: unknown): boolean => isObject(item) && '$patch' in item;

const mergePlain = (current: unknown, value: readonly unknown[]): unknown[] => [
  ...new Set([...(Array.isArray(current) ? (current as unknown[]) : []), ...value]),
];

function mergeByKey(current: unknown, value: readonly unknown[], rule: PatchRule, key: string): unknown[] {
  if (value.some((item) => isObject(item) && item['$patch'] === 'replace'))
    return value.filter((item) => !isDirective(item));
  const merged: unknown[] = Array.isArray(current) ? [...(current as unknown[])] : [];
  for (const item of value) {
    if (!isObject(item)) continue;
    const at = merged.findIndex((one) => isObject(one) && one[key] === item[key]);
    if (item['$patch'] === 'delete') {
      if (at >= 0) merged.splice(at, 1);
    } else if (at >= 0) merged[at] = applyStrategicPatch(merged[at], item, rule.child);
    else merged.push(applyStrategicPatch({}, item, rule.child));
  }
  return merged;
}

/** Items in the given order come in that order; others keep their position after their predecessor. */
function inOrder(list: unknown, order: unknown, key: string | undefined): unknown {
  if (!Array.isArray(list) || !Array.isArray(order)) return list;
  const idOf = (item: unknown) => (key !== undefined && isObject(item) ? item[key] : item);
  const wanted = order.map(idOf);
  const named = wanted.flatMap((id) => list.filter((item) => idOf(item) === id));
  const result: unknown[] = [];
  let next = 0;
  for (const item of list as unknown[]) {
    if (wanted.includes(idOf(item))) result.push(named[next++]);
    else result.push(item);
  }
  return result;
}
