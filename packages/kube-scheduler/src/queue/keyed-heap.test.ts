import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyedHeap } from './keyed-heap.ts';

test('a heap gives its members in order, whatever came, went or came again in between', () => {
  const change = fc.record({
    key: fc.integer({ min: 0, max: 20 }),
    rank: fc.integer({ min: 0, max: 9 }),
    remove: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const heap = new KeyedHeap<{ key: string; rank: number }>(
        (item) => item.key,
        (a, b) => a.rank - b.rank,
      );
      const model = new Map<string, number>();
      for (const { key, rank, remove } of changes) {
        if (remove) heap.delete(String(key));
        else heap.push({ key: String(key), rank });
        if (remove) model.delete(String(key));
        else model.set(String(key), rank);
      }
      const popped: number[] = [];
      for (let item = heap.pop(); item !== undefined; item = heap.pop()) popped.push(item.rank);
      expect(popped).toEqual([...model.values()].sort((a, b) => a - b));
    }),
  );
});
