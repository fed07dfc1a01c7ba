import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Tree } from './tree.ts';

const keyArbitrary = fc.nat(400);
const stepArbitrary = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('set' as const), key: keyArbitrary }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('delete' as const), key: keyArbitrary }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('clear' as const), key: keyArbitrary }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('clone' as const), key: keyArbitrary }) },
);

const contentOf = (tree: Tree<number, string>): [number, string][] => {
  const content: [number, string][] = [];
  tree.scan(-1, 1000, (value, key) => void content.push([key, value]));
  return content;
};

const sortedOf = (map: ReadonlyMap<number, string>): [number, string][] => [...map].sort(([a], [b]) => a - b);

test('a tree and its clones behave like maps', () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { maxLength: 1500, size: 'max' }), (steps) => {
      const pairs = [{ tree: new Tree<number, string>(), map: new Map<number, string>() }];
      steps.forEach(({ act, key }, index) => {
        const { tree, map } = pairs[index % pairs.length]!;
        if (act === 'clone' && pairs.length < 4) pairs.push({ tree: tree.clone(), map: new Map(map) });
        if (act === 'set') {
          expect(tree.set(key, `v${index}`)).toBe(map.get(key));
          map.set(key, `v${index}`);
        }
        for (let each = key; each < key + (act === 'clear' ? 60 : act === 'delete' ? 1 : 0); each++) {
          expect(tree.delete(each)).toBe(map.get(each));
          map.delete(each);
        }
      });
      for (const { tree, map } of pairs) {
        expect(contentOf(tree)).toEqual(sortedOf(map));
        expect(tree.size).toBe(map.size);
      }
    }),
    { numRuns: 30 },
  );
});

test('ranks, counts and scans agree with a sorted array', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(keyArbitrary, { maxLength: 300 }),
      keyArbitrary,
      keyArbitrary,
      (keys, a, b) => {
        const tree = new Tree<number, string>();
        for (const key of keys) tree.set(key, String(key));
        const sorted = keys.toSorted((x, y) => x - y);
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const within = sorted.filter((key) => key >= start && key < end);
        const up: number[] = [];
        const down: number[] = [];
        tree.scan(start, end, (_, key) => void up.push(key));
        tree.scanDown(start, end, (_, key) => void down.push(key));

        expect(up).toEqual(within);
        expect(down).toEqual(within.toReversed());
        expect(tree.count(start, end)).toBe(within.length);
        expect(tree.rank(start)).toBe(sorted.filter((key) => key < start).length);
        expect(tree.firstKey()).toBe(sorted[0]);
        expect(keys.every((key) => tree.get(key) === String(key))).toBe(true);
      },
    ),
  );
});

test('a scan ends when its visitor has enough', () => {
  const tree = new Tree<number, number>();
  for (let i = 0; i < 1000; i++) tree.set(i, i);
  const seen: number[] = [];
  tree.scan(100, 900, (value) => {
    seen.push(value);
    return seen.length < 3;
  });
  expect(seen).toEqual([100, 101, 102]);
});

test('the difference of two trees equals that of their contents, however they are related', () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { maxLength: 800, size: 'max' }), (steps) => {
      const trees = [new Tree<number, string>()];
      steps.forEach(({ act, key }, index) => {
        const tree = trees[index % trees.length]!;
        if (act === 'clone' && trees.length < 4) trees.push(tree.clone());
        if (act === 'set') tree.set(key, `v${index}`);
        for (let each = key; each < key + (act === 'clear' ? 60 : act === 'delete' ? 1 : 0); each++) {
          tree.delete(each);
        }
      });
      const [before, after] = [trees[0]!, trees.at(-1)!];
      const [left, right] = [new Map(contentOf(before)), new Map(contentOf(after))];
      const keys = [...new Set([...left.keys(), ...right.keys()])].sort((a, b) => a - b);

      const seen: unknown[] = [];
      before.difference(after, (...difference) => void seen.push(difference));

      expect(seen).toEqual(
        keys
          .filter((key) => left.get(key) !== right.get(key))
          .map((key) => [key, left.get(key), right.get(key)]),
      );
    }),
  );
});
