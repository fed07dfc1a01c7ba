import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  difference,
  hasPath,
  haveCommonPath,
  intersection,
  isSubset,
  leaf,
  pathsOf,
  recursiveDifference,
  sameSet,
  setOf,
  union,
  type FieldSet,
} from './field-set.ts';
import { canonical, pathText } from './structured-merge/path-element.ts';

const elements = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"name":"x"}', 'k:{"port":80}', 'v:"s"');
const paths = fc.array(elements, { minLength: 1, maxLength: 3 });
const sets = fc
  .array(paths, { maxLength: 6 })
  .map((list) => list.reduce<FieldSet>((set, path) => union(set, pathSet(path)), leaf));

const pathSet = (path: readonly string[]): FieldSet =>
  path.reduceRight<FieldSet>((set, element) => ({ [element]: set }), leaf);
const textsOf = (set: FieldSet): Set<string> => new Set([...pathsOf(set)].map((path) => path.join('/')));

describe('field sets are sets of paths', () => {
  const holds = (
    operation: (a: FieldSet, b: FieldSet) => FieldSet,
    model: (a: Set<string>, b: Set<string>) => Set<string>,
  ): void =>
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        expect(textsOf(operation(a, b))).toEqual(model(textsOf(a), textsOf(b)));
      }),
      { numRuns: 500 },
    );

  test('union', () => holds(union, (a, b) => a.union(b)));
  test('intersection', () => holds(intersection, (a, b) => a.intersection(b)));
  test('difference', () => holds(difference, (a, b) => a.difference(b)));
  test('difference with all below', () =>
    holds(
      recursiveDifference,
      (a, b) =>
        new Set(
          [...a].filter((path) => ![...b].some((other) => path === other || path.startsWith(`${other}/`))),
        ),
    ));
  test('a path in common', () =>
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        expect(haveCommonPath(a, b)).toBe(!textsOf(a).isDisjointFrom(textsOf(b)));
      }),
      { numRuns: 500 },
    ));
  test('subset and membership', () =>
    fc.assert(
      fc.property(sets, sets, paths, (a, b, path) => {
        expect(isSubset(a, b)).toBe(textsOf(a).isSubsetOf(textsOf(b)));
        expect(hasPath(a, path)).toBe(textsOf(a).has(path.join('/')));
      }),
    ));

  test('no operation changes its operands', () =>
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const before = JSON.stringify([a, b]);
        for (const operation of [union, intersection, difference, recursiveDifference]) operation(a, b);

        expect(JSON.stringify([a, b])).toBe(before);
      }),
    ));
});

test('a stored set is sorted: fields, keys by value, values', () => {
  const set = {
    'v:"b"': {},
    'k:{"port":443}': {},
    'k:{"port":80}': {},
    'k:{"name":"b"}': {},
    'k:{"name":"a"}': {},
    'f:z': { 'f:b': {}, '.': {}, 'f:a': {} },
    'f:a': {},
    'v:"a"': {},
  };

  expect(JSON.stringify(canonical(set))).toBe(
    '{"f:a":{},"f:z":{".":{},"f:a":{},"f:b":{}},"k:{\\"name\\":\\"a\\"}":{},"k:{\\"name\\":\\"b\\"}":{},"k:{\\"port\\":80}":{},"k:{\\"port\\":443}":{},"v:\\"a\\"":{},"v:\\"b\\"":{}}',
  );
});

test('sets of any size are sorted', () => {
  for (const count of [2, 24, 25, 26, 200]) {
    const names = Array.from({ length: count }, (_none, index) => `f:${String(index).padStart(3, '0')}`);
    const mixed = names.map((_name, index) => names[(index * 7 + 3) % count]!);

    for (const given of [mixed, names.toReversed(), names]) {
      const set = Object.fromEntries([...given, ...names].map((name) => [name, leaf]));
      expect(Object.keys(canonical(set))).toEqual(names);
    }
  }
});

test('sorting twice is sorting once, and keeps the set', () =>
  fc.assert(
    fc.property(sets, (set) => {
      const sorted = canonical(set);

      expect(canonical(sorted)).toBe(sorted);
      expect(sameSet(sorted, set)).toBe(true);
    }),
  ));

test('a path reads as in messages', () => {
  expect(pathText(['f:spec', 'f:containers', 'k:{"name":"x","port":80}', 'f:image'])).toBe(
    '.spec.containers[name="x",port=80].image',
  );
  expect(pathText(['f:finalizers', 'v:"a"'])).toBe('.finalizers[="a"]');
});

test('a set can be made of names', () => {
  expect(setOf(['spec', 'replicas'], ['status'])).toEqual({ 'f:spec': { 'f:replicas': {} }, 'f:status': {} });
});
