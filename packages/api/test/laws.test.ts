/**
 * Laws that hold for all kinds, whatever an object contains. Objects come from fixed seeds; a failure names the seed,
 * and `randomObject(kind, seed)` is the object.
 */

import { applyJsonPatch, decodeJsonPatch } from '@coxswain/apimachinery/json-patch.ts';
import { applyMergePatch, createMergePatch } from '@coxswain/apimachinery/merge-patch.ts';
import {
  FieldManager,
  applyDefaults,
  decode,
  decodeEnvelope,
  decodeProtobuf,
  decodeValue,
  encode,
  encodeProtobuf,
  type Kind,
} from '@coxswain/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupVersionDirectories, kindsOf } from '../src/group-versions.ts';
import { randomObject } from './random-object.ts';

type Values = Record<string, unknown>;

const runs = { seed: 20, numRuns: 4 };
const seed = fc.integer();

const kinds = groupVersionDirectories.flatMap((directory) => kindsOf(directory));
const stored = kinds.filter(({ names }) => names !== undefined);
const nameOf = ({ apiVersion, kind }: Kind): string => `${apiVersion} ${kind}`;
const named = (some: readonly Kind[]) => some.map((kind) => [nameOf(kind), kind] as const);

const normal = (kind: Kind, one: number): object =>
  decodeValue(kind.type, randomObject(kind, one)).object as object;

const always = (law: (one: number) => void): void => fc.assert(fc.property(seed, law), runs);
const alwaysOfTwo = (law: (one: number, other: number) => void): void =>
  fc.assert(fc.property(seed, seed, law), runs);

describe.each(named(kinds))('%s', (_name, kind) => {
  test('a decoded and encoded object decodes to the same', () => {
    always((one) => {
      const text = JSON.stringify(randomObject(kind, one));
      const { object, problems } = decode(kind.type, text);

      expect(problems).toEqual([]);
      expect(decode(kind.type, encode(kind.type, object)).object).toEqual(object);
      expect(encode(kind.type, decodeValue(kind.type, JSON.parse(text)).object)).toBe(
        encode(kind.type, object),
      );
    });
  });

  const protobufSaysTheSame = () =>
    always((one) => {
      const object = normal(kind, one);
      const bytes = encodeProtobuf(kind.type, object);
      const again = decodeProtobuf(kind.type, decodeEnvelope(bytes)) as object;

      expect(encode(kind.type, again)).toBe(encode(kind.type, object));
      expect(encodeProtobuf(kind.type, again)).toEqual(bytes);
    });

  // The cells of a Table are not in protobuf.
  if (kind.kind !== 'Table') test('protobuf says the same as JSON', protobufSaysTheSame);

  test('defaults fill in nothing that they have filled in', () => {
    always((one) => {
      const object = normal(kind, one);
      withDefaults(kind, object);
      const before = structuredClone(object);
      withDefaults(kind, object);

      expect(object).toEqual(before);
    });
  });
});

describe.each(named(stored))('patches of %s', (_name, kind) => {
  test('a merge patch between two objects leads from one to the other', () => {
    alwaysOfTwo((one, other) => {
      const [from, to] = [plain(kind, one), plain(kind, other)];
      const patch = createMergePatch(from, to);

      const result = applyMergePatch(from, patch);
      expect(result).toEqual(to);
      expect(applyMergePatch(result, patch)).toEqual(result);
      expect(applyMergePatch(from, {})).toEqual(from);
    });
  });

  test('a JSON patch that puts every member in its place, and takes it away, changes nothing else', () => {
    always((one) => {
      const object = plain(kind, one) as Record<string, unknown>;
      const pointer = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const names = Object.keys(object);
      const add = names.map((name) => ({ op: 'add', path: pointer(name), value: object[name] }));
      const test_ = names.map((name) => ({ op: 'test', path: pointer(name), value: object[name] }));
      const remove = names.map((name) => ({ op: 'remove', path: pointer(name) }));

      expect(applyJsonPatch({}, decodeJsonPatch([...add, ...test_]))).toEqual(object);
      expect(applyJsonPatch(object, decodeJsonPatch(remove))).toEqual({});
    });
  });
});

test.each(named(stored))('applies of different fields of %s commute', (_name, kind) => {
  always((one) => {
    const [left, right] = halves(configuration(kind, one));

    expect(applied(kind, [left, right])).toEqual(applied(kind, [right, left]));
    expect(applied(kind, [left, right, left, right])).toEqual(applied(kind, [left, right]));
  });
});

/** Distributes the members of an object and of its spec alternately. */
function halves(config: Values): readonly [Values, Values] {
  const { apiVersion, kind, metadata: _, spec, ...rest } = config;
  const [a, b] = inTurns(rest);
  if (typeof spec !== 'object' || spec === null)
    return [
      { apiVersion, kind, ...a },
      { apiVersion, kind, ...b },
    ];
  const [c, d] = inTurns(spec as Values);
  return [
    { apiVersion, kind, ...a, spec: c },
    { apiVersion, kind, ...b, spec: d },
  ];
}

function inTurns(values: Values): readonly [Values, Values] {
  const entries = Object.entries(values);
  const half = (rest: number) => Object.fromEntries(entries.filter((_, at) => at % 2 === rest));
  return [half(0), half(1)];
}

interface Owner {
  readonly manager: string;
  readonly time?: string;
}

/** The result of applies, each by a different manager, and the owners of fields. */
function applied(kind: Kind, configs: readonly Values[]): unknown {
  const manager = new FieldManager({ type: kind.type, apiVersion: kind.apiVersion });
  let live: Values | undefined;
  for (const config of configs) {
    const { object, managedFields } = manager.apply({
      live,
      config,
      manager: Object.keys(config).join(' ') + Object.keys((config['spec'] ?? {}) as object).join(' '),
      force: false,
      now: '2026-01-01T00:00:00Z',
    });
    live = decodeValue(kind.type, object).object as Values;
    live['metadata'] = { ...(live['metadata'] as object), uid: 'u', managedFields };
  }
  const { metadata, ...rest } = live!;
  const owners = (metadata as { managedFields?: readonly Owner[] }).managedFields ?? [];
  // An apply that changes nothing gets no time.
  const untimed = owners.map((owner) => ({ ...owner, time: undefined }));
  return { ...rest, owners: untimed.toSorted((a, b) => (a.manager < b.manager ? -1 : 1)) };
}

/** As a client applies it: without nulls. */
const configuration = (kind: Kind, one: number): Values => plain(kind, one) as Values;

/** As a client has it: JSON without nulls, which a merge patch cannot set. */
function plain(kind: Kind, one: number): unknown {
  return JSON.parse(encode(kind.type, normal(kind, one)), (_, value: unknown) =>
    value === null ? undefined : value,
  );
}

function withDefaults(kind: Kind, object: object): void {
  applyDefaults(kind.type, object);
  for (const apply of kind.behaviour?.defaults ?? []) apply(object as never, 0);
}
