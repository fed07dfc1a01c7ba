/**
 * Client-side apply's patch: what the new configuration sets, and what it removes compared with the last applied one.
 * Fields set by others are left unchanged.
 */
import type { PatchRule, PatchSchema } from './patch-schema.ts';
import { sameJson } from '../same-json.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a strategic merge patch; empty if there is nothing to do. */
export function threeWayStrategicPatch(
  lastApplied: Json,
  modified: Json,
  current: Json,
  schema: PatchSchema,
): Json {
  const changes = changesOf(current, modified, schema);
  const deletions = deletionsOf(lastApplied, modified, schema);
  return joinPatches(deletions, changes, schema) as Json;
}

/** Returns a JSON merge patch, for kinds without strategic merge. */
export function threeWayMergePatch(lastApplied: Json, modified: Json, current: Json): Json {
  return joinMerge(mergeDeletions(lastApplied, modified), mergeChanges(current, modified));
}

function mergeChanges(current: Json, modified: Json): Json {
  const patch: Json = {};
  for (const [key, value] of Object.entries(modified)) {
    const before = current[key];
    if (isObject(value) && isObject(before)) {
      const inner = mergeChanges(before, value);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!sameJson(before ?? null, value ?? null) && value !== null) patch[key] = value;
  }
  return patch;
}

function mergeDeletions(lastApplied: Json, modified: Json): Json {
  const patch: Json = {};
  for (const [key, value] of Object.entries(lastApplied)) {
    if (!(key in modified)) patch[key] = null;
    else if (isObject(value) && isObject(modified[key])) {
      const inner = mergeDeletions(value, modified[key]);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    }
  }
  return patch;
}

function joinMerge(first: Json, second: Json): Json {
  const joined: Json = { ...first };
  for (const [key, value] of Object.entries(second)) {
    joined[key] = isObject(value) && isObject(joined[key]) ? joinMerge(joined[key], value) : value;
  }
  return joined;
}

/** What `modified` sets differently from `current`; nothing is deleted. */
function changesOf(current: Json, modified: Json, schema: PatchSchema): Json {
  const patch: Json = {};
  for (const [key, value] of Object.entries(modified)) {
    const before = current[key];
    if (value === null || value === undefined) continue;
    if (before === undefined || before === null) {
      patch[key] = value;
      continue;
    }
    addChange(patch, key, before, value, schema.field(key));
  }
  return patch;
}

function addChange(patch: Json, key: string, before: unknown, value: unknown, rule: PatchRule): void {
  if (isObject(value) && isObject(before)) {
    if (rule.strategies.includes('replace')) {
      if (!sameJson(before, value)) patch[key] = value;
      return;
    }
    const inner = changesWithin(before, value, rule);
    if (Object.keys(inner).length > 0) patch[key] = inner;
    return;
  }
  if (Array.isArray(value) && Array.isArray(before) && rule.strategies.includes('merge')) {
    addListChange(patch, key, before, value, rule);
    return;
  }
  if (!sameJson(before, value)) patch[key] = value;
}

/** With retainKeys, keys missing in the new value must be removed: in an object, or in an item of a list. */
function changesWithin(before: Json, value: Json, rule: PatchRule): Json {
  const inner = changesOf(before, value, rule.child);
  if (!rule.strategies.includes('retainKeys')) return inner;
  const isChanged = Object.keys(inner).length > 0 || Object.keys(before).some((key) => !(key in value));
  return isChanged ? { ...inner, $retainKeys: Object.keys(value).sort() } : {};
}

function addListChange(
  patch: Json,
  key: string,
  before: readonly unknown[],
  value: readonly unknown[],
  rule: PatchRule,
): void {
  const { mergeKey } = rule;
  const idOf = (item: unknown) => (mergeKey !== undefined && isObject(item) ? item[mergeKey] : item);
  const changed = value.flatMap((item) => {
    const old = before.find((one) => sameJson(idOf(one) ?? null, idOf(item) ?? null));
    if (old === undefined) return [item];
    if (mergeKey === undefined || !isObject(item) || !isObject(old)) return [];
    const inner = changesWithin(old, item, rule);
    return Object.keys(inner).length === 0 ? [] : [{ ...inner, [mergeKey]: item[mergeKey] }];
  });
  const wanted = value.map(idOf);
  const kept = before.map(idOf).filter((id) => wanted.some((one) => sameJson(one ?? null, id ?? null)));
  const reordered = !sameJson(
    kept,
    wanted.filter((id) => kept.some((one) => sameJson(one ?? null, id ?? null))),
  );
  if (changed.length === 0 && !reordered) return;
  patch[`$setElementOrder/${key}`] =
    mergeKey === undefined ? value : value.map((item) => ({ [mergeKey]: (item as Json)[mergeKey] }));
  if (changed.length > 0) patch[key] = changed;
}

/** What was last applied and is missing in `modified`. */
function deletionsOf(lastApplied: Json, modified: Json, schema: PatchSchema): Json {
  const patch: Json = {};
  for (const [key, value] of Object.entries(lastApplied)) {
    const now = modified[key];
    const rule = schema.field(key);
    if (now === undefined || now === null) patch[key] = null;
    else if (isObject(value) && isObject(now)) {
      if (rule.strategies.includes('replace')) continue;
      const inner = deletionsOf(value, now, rule.child);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (Array.isArray(value) && Array.isArray(now) && rule.strategies.includes('merge')) {
      addListDeletions(patch, key, value, now, rule);
    }
  }
  return patch;
}

function addListDeletions(
  patch: Json,
  key: string,
  value: readonly unknown[],
  now: readonly unknown[],
  rule: PatchRule,
): void {
  const { mergeKey } = rule;
  if (mergeKey === undefined) {
    const gone = value.filter((item) => !now.some((one) => sameJson(one, item)));
    if (gone.length > 0) patch[`$deleteFromPrimitiveList/${key}`] = gone;
    return;
  }
  const entries = value.flatMap((item) => {
    if (!isObject(item)) return [];
    const match = now.find((one) => isObject(one) && one[mergeKey] === item[mergeKey]);
    if (match === undefined) return [{ $patch: 'delete', [mergeKey]: item[mergeKey] }];
    const inner = deletionsOf(item, match as Json, rule.child);
    return Object.keys(inner).length === 0 ? [] : [{ ...inner, [mergeKey]: item[mergeKey] }];
  });
  if (entries.length === 0) return;
  patch[key] = entries;
  patch[`$setElementOrder/${key}`] = now.map((item) => ({ [mergeKey]: (item as Json)[mergeKey] }));
}

/** Combines both patches; lists are merged by key. */
function joinPatches(first: unknown, second: unknown, schema: PatchSchema): unknown {
  if (!isObject(first) || !isObject(second)) return second ?? first;
  const joined: Json = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const rule = schema.field(key);
    const before = joined[key];
    if (isObject(value) && isObject(before)) joined[key] = joinPatches(before, value, rule.child);
    else if (
      Array.isArray(value) &&
      Array.isArray(before) &&
      !key.startsWith('$') &&
      rule.mergeKey !== undefined
    ) {
      joined[key] = joinLists(before, value, rule, rule.mergeKey);
    } else joined[key] = value;
  }
  return joined;
}

function joinLists(
  first: readonly unknown[],
  second: readonly unknown[],
  rule: PatchRule,
  key: string,
): unknown[] {
  const joined: unknown[] = [...first];
  for (const item of second) {
    const at = joined.findIndex((one) => isObject(one) && isObject(item) && one[key] === item[key]);
    if (at < 0) joined.push(item);
    else joined[at] = joinPatches(joined[at], item, rule.child);
  }
  return joined;
}
