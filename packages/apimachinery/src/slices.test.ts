import { expect, test } from 'vitest';
import { mapAsyncInSlices, mapInSlices, nextSlice } from './slices.ts';

/** Every look takes a millisecond. */
const tickingClock = () => {
  let nowMs = 0;
  return { monotonic: () => nowMs++ };
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test('what is soon done is done at once', () => {
  expect(mapInSlices([1, 2, 3], (one) => one * 2, tickingClock())).toEqual([2, 4, 6]);
});

test('what takes long goes on in later turns, and makes everything once and in order', async () => {
  const items = numbers(1_000);
  const seen: number[] = [];
  const made = mapInSlices(items, (one) => (seen.push(one), one + 1), tickingClock());

  expect(made).toBeInstanceOf(Promise);
  expect(seen.length).toBeLessThan(items.length);
  expect(await made).toEqual(items.map((one) => one + 1));
  expect(seen).toEqual(items);
});

test('of those who wait for a slice, each has a turn of the event loop to himself', async () => {
  const turns: number[] = [];
  let turn = 0;
  const count = () => {
    turn++;
    if (turns.length < 5) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(numbers(5).map(async () => (await nextSlice(), turns.push(turn))));

  expect(new Set(turns).size).toBe(5);
});

test('a failure in the middle ends the work', async () => {
  const made = mapInSlices(
    numbers(1_000),
    (one) => {
      if (one === 900) throw new Error('no more');
      return one;
    },
    tickingClock(),
  );
  await expect(made).rejects.toThrow('no more');
});

test('of work that waits in between, each turn begins a few parts', async () => {
  const begunIn: number[] = [];
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const make = async (one: number) => {
    begunIn.push(turn);
    await Promise.resolve();
    return one * 2;
  };
  const made = await mapAsyncInSlices(numbers(500), make, 100, tickingClock());
  isOver = true;

  expect(made).toEqual(numbers(500).map((one) => one * 2));
  const counts = Map.groupBy(begunIn, (each) => each);
  expect(Math.max(...Array.from(counts.values(), ({ length }) => length))).toBeLessThanOrEqual(8);
});
