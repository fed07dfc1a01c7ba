/** Determines whether two strategic merge patches set the same fields to different values. */
import { sameJson } from '../same-json.ts';
import type { PatchRule, PatchSchema } from './patch-schema.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const directives = new Set(['$patch', '$retainKeys']);

export function patchesConflict(left: Json, right: Json, schema: PatchSchema): boolean {
  return Object.entries(left).some(([key, value]) => {
    if (directives.has(key) || !(key in right)) return false;
    // Different orders of a list that both change are not a conflict.
    if (key.startsWith('$')) return false;
    return valuesConflict(value, right[key], schema.field(key));
  });
}

function valuesConflict(left: unknown, right: unknown, rule: PatchRule): boolean {
  if (isObject(left)) {
    if (!isObject(right) || left['$patch'] !== right['$patch']) return true;
    return !rule.strategies.includes('replace') && patchesConflict(left, right, rule.child);
  }
  if (Array.isArray(left)) return !Array.isArray(right) || listsConflict(left, right, rule);
  return !sameJson(left, right);
}

function listsConflict(left: readonly unknown[], right: readonly unknown[], rule: PatchRule): boolean {
  const { mergeKey } = rule;
  if (!rule.strategies.includes('merge')) {
    if (left.length !== right.length) return true;
    // What only one of two items says is no conflict; plain values stand for a set.
    const [a, b] = [...left, ...right].some(isObject) ? [left, right] : [sorted(left), sorted(right)];
    return a.some((item, at) => valuesConflict(item, b[at], { ...rule, strategies: [] }));
  }
  // Lists of scalars are merged.
  if (mergeKey === undefined) return false;
  return left.some((item) => {
    const other = right.find((one) => isObject(one) && isObject(item) && one[mergeKey] === item[mergeKey]);
    return other !== undefined && valuesConflict(item, other, { ...rule, strategies: [] });
  });
}

const sorted = (list: readonly unknown[]): unknown[] =>
  [...new Set(list)].toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
