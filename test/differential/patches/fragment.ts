/** Pieces of objects, changed at random: what a client states in a patch or an apply. */
import type { Random } from '@coxswain/apimachinery';

type Json = unknown;
export type JsonObject = Record<string, Json>;

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const chance = (random: Random, probability: number): boolean => random.next() < probability;

export const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random.next() * from.length)]!;

export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random.next() * (at + 1));
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}

/** Members that elements of lists are told apart by are seldom left out. */
const keys = new Set([
  'name',
  'key',
  'type',
  'port',
  'containerPort',
  'protocol',
  'mountPath',
  'uid',
  'ip',
  'topologyKey',
]);

export interface FragmentOptions {
  readonly random: Random;
  /** How much of each object is kept: 1 for all. */
  readonly kept: number;
  /** How often a scalar becomes another. */
  readonly changed: number;
  /** How often a member becomes null. */
  readonly nulls: number;
}

export function fragment(value: Json, options: FragmentOptions): Json {
  const { random, kept, changed, nulls } = options;
  if (Array.isArray(value)) {
    const items = value.filter(() => chance(random, (kept + 1) / 2)).map((item) => fragment(item, options));
    if (items.length > 0 && chance(random, changed / 3)) items.push(items[0]);
    return chance(random, 0.2) ? shuffled(random, items) : items;
  }
  if (!isObject(value)) return chance(random, changed) ? otherScalar(value, random) : value;
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (!chance(random, keys.has(name) ? 0.97 : kept)) continue;
    result[name] = chance(random, nulls) ? null : fragment(member, options);
  }
  return result;
}

function otherScalar(value: Json, random: Random): Json {
  if (typeof value === 'number') return value + pick(random, [1, 1, 2, -1]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    if (/^\d+(m|Mi|Gi)?$/.test(value)) return value.replace(/^\d+/, (digits) => String(Number(digits) + 1));
    return pick(random, [`${value}x`, `${value}-y`, 'other']);
  }
  return pick(random, [1, 'text', false]);
}

/** Labels, annotations and finalizers are changed in every kind alike. */
export function freeMetadata(random: Random, nulls: number): JsonObject {
  const map = (): JsonObject =>
    Object.fromEntries(
      ['a', 'b', 'c', 'd']
        .filter(() => chance(random, 0.5))
        .map((name) => [
          `p8.example.com/${name}`,
          chance(random, nulls) ? null : pick(random, ['1', '2', '3']),
        ]),
    );
  return {
    ...(chance(random, 0.6) && { labels: map() }),
    ...(chance(random, 0.5) && { annotations: map() }),
    ...(chance(random, 0.15) && {
      finalizers: shuffled(random, ['p8.example.com/f', 'p8.example.com/g', 'p8.example.com/h']).slice(
        0,
        Math.floor(random.next() * 4),
      ),
    }),
    ...(chance(random, 0.1) && {
      ownerReferences: ['u1', 'u2']
        .filter(() => chance(random, 0.7))
        .map((uid) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: pick(random, ['x', 'y']),
          uid,
          ...(chance(random, 0.3) && { controller: chance(random, 0.5) }),
        })),
    }),
  };
}

/** Puts one object over another; members of the second win. */
export function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result = { ...base };
  for (const [name, member] of Object.entries(over)) {
    const own = result[name];
    result[name] = isObject(own) && isObject(member) ? merged(own, member) : member;
  }
  return result;
}
