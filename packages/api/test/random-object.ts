/** Random objects of any kind from a seed: with some of the members, and values that a client may send. */

import {
  resolved,
  type Kind,
  type ListType,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
} from '@coxswain/schema';
import { shapeOf, type Member } from '@coxswain/schema/shape.ts';

type Values = Record<string, unknown>;

/** Structs nested deeper than this are omitted. */
const depthMax = 7;

export function randomObject(kind: Kind, seed: number): Values {
  const random = randomFrom(seed);
  return { apiVersion: kind.apiVersion, kind: kind.kind, ...randomStruct(kind.type, random, 0) };
}

/** Numbers in [0, 1); small and repeatable (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Random = () => number;

const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)]!;

/** The server sets managedFields; the types of embedded objects are not in protobuf. */
const neverSent: ReadonlySet<string> = new Set(['managedFields']);
const typeMembers: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

function randomStruct(struct: StructType, random: Random, depth: number): Values {
  const likelihood = Math.max(0.2, 0.75 - depth * 0.12);
  const values: Values = {};
  for (const { name, field } of shapeOf(struct).members) {
    if (neverSent.has(name) || typeMembers.has(name)) continue;
    if (random() > likelihood || depth > depthMax) continue;
    values[name] = withoutTwins(randomValue(field.type, random, depth + 1), field);
  }
  return values;
}

function randomValue(type: Type, random: Random, depth: number): unknown {
  const actual = resolved(type);
  switch (actual.form) {
    case 'struct':
      return randomStruct(actual, random, depth);
    case 'list':
      return Array.from({ length: below(random, 3) }, () => randomValue(actual.element, random, depth));
    case 'map':
      return Object.fromEntries(
        Array.from({ length: below(random, 3) }, () => [
          randomText(random),
          randomValue(actual.value, random, depth),
        ]),
      );
    case 'scalar':
      return randomScalar(actual, random, depth);
  }
}

/** Elements that are identified by a key get unique keys. */
function withoutTwins(value: unknown, { type, patchKey }: Member['field']): unknown {
  const actual = resolved(type);
  if (actual.form !== 'list') return value;
  const keys = [
    ...new Set([...(actual.merge === 'map' ? actual.keys : []), ...(patchKey ? [patchKey] : [])]),
  ];
  if (keys.length > 0) return (value as Values[]).map((element, at) => keyed(element, actual, keys, at));
  return actual.merge === 'set' ? [...new Set(value as unknown[])] : value;
}

function keyed(element: Values, list: ListType, keys: readonly string[], at: number): Values {
  const { byName } = shapeOf(resolved(list.element) as StructType);
  const values = { ...element };
  for (const key of keys) {
    const member = byName.get(key);
    const type = member && resolved(member.field.type);
    if (type?.form !== 'scalar') continue;
    values[key] = type.scalar === 'int32' ? at + 1 : (type.values?.[at] ?? `key-${at}`);
  }
  return values;
}

function randomScalar(type: ScalarType, random: Random, depth: number): unknown {
  if (type.values !== undefined) return pick(random, type.values);
  if (type.either !== undefined) return depth > depthMax ? {} : randomEither(type.either, random, depth);
  return scalars[type.scalar](random);
}

function randomEither({ object, other }: NonNullable<ScalarType['either']>, random: Random, depth: number) {
  if (random() < 0.6) return randomValue(object, random, depth + 2);
  if (other === 'bool') return random() < 0.5;
  return other === 'list' ? [randomValue(object, random, depth + 2)] : [randomText(random)];
}

const letters = ['a', 'b', 'Z', '0', '-', '.', '/', ' ', '"', '\\', '<', 'é', '水', '😀', '\n', '\u2028'];

const randomText = (random: Random): string =>
  Array.from({ length: below(random, 6) }, () => pick(random, letters)).join('');

const dayMs = 24 * 60 * 60 * 1000;
const randomTime = (random: Random): string => new Date(below(random, 20_000) * dayMs).toISOString();

function randomJson(random: Random): unknown {
  const nested = () => scalars.any(random);
  return pick<() => unknown>(random, [
    () => ({ [randomText(random)]: randomText(random) }),
    () => [below(random, 9), nested()],
    () => random() < 0.5,
    () => randomText(random),
    () => below(random, 1000) / 8,
  ])();
}

const scalars: Readonly<Record<ScalarName, (random: Random) => unknown>> = {
  string: randomText,
  bool: (random) => random() < 0.5,
  int32: (random) => below(random, 2 ** 32) - 2 ** 31,
  int64: (random) => (random() < 0.5 ? below(random, 100) : below(random, 2 ** 53)),
  float64: (random) => below(random, 1_000_000) / 1024,
  bytes: (random) => Buffer.from(randomText(random)).toString('base64'),
  quantity: (random) => `${below(random, 5000)}${pick(random, ['', 'm', 'k', 'Ki', 'Mi', 'G'])}`,
  intOrString: (random) => (random() < 0.5 ? below(random, 70_000) : randomText(random)),
  time: (random) => `${randomTime(random).slice(0, 19)}Z`,
  microTime: (random) => `${randomTime(random).slice(0, 23)}000Z`,
  duration: (random) => `${below(random, 100_000)}s`,
  rawExtension: (random) => ({ [randomText(random)]: randomJson(random) }),
  fieldsV1: () => ({ 'f:a': {} }),
  any: (random) => (random() < 0.3 ? randomText(random) : randomJson(random)),
};
