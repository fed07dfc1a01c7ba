import { expect, test } from 'vitest';
import { urgentOwner } from './fair-order.ts';
import {
  atNextSlice,
  inFairTurn,
  isContended,
  isCrowding,
  mapAsyncInSlices,
  mapInSlices,
  nextSlice,
  noteServed,
  sliceWith,
} from './slices.ts';

/** Every read of the clock takes a millisecond. */
const tickingClock = () => {
  let nowMs = 0;
  return { monotonic: () => nowMs++ };
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test('short work is done at once', () => {
  expect(mapInSlices([1, 2, 3], (one) => one * 2, tickingClock(), 'a')).toEqual([2, 4, 6]);
});

test('long work continues in later turns, each item once and in order', async () => {
  const items = numbers(1_000);
  const seen: number[] = [];
  const made = mapInSlices(items, (one) => (seen.push(one), one + 1), tickingClock(), 'a');

  expect(made).toBeInstanceOf(Promise);
  expect(seen.length).toBeLessThan(items.length);
  expect(await made).toEqual(items.map((one) => one + 1));
  expect(seen).toEqual(items);
});

/** The event-loop turn in which each piece of work was done. */
async function turnsOf(count: number, clock: { monotonic(): number }): Promise<number[]> {
  const turns: number[] = [];
  let turn = 0;
  const next = () => {
    turn++;
    if (turns.length < count) setImmediate(next);
  };
  setImmediate(next);
  await Promise.all(numbers(count).map(async () => (await nextSlice(clock, 'a'), turns.push(turn))));
  return turns;
}

test('as many waiting owners share an event-loop turn as fit into it', async () => {
  const turns = await turnsOf(40, tickingClock());
  const counts = Array.from(Map.groupBy(turns, (each) => each).values(), ({ length }) => length);

  expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  expect(counts.length).toBeGreaterThanOrEqual(5);
});

test('while several are served, slices are short', async () => {
  const clock = tickingClock();
  noteServed(clock, 'a', clock.monotonic());
  noteServed(clock, 'b', clock.monotonic());

  expect(new Set(await turnsOf(10, clock)).size).toBeGreaterThanOrEqual(5);
});

test('slices get their part of long turns', async () => {
  let nowMs = 0;
  const clock = { monotonic: () => nowMs };
  noteServed(clock, 'a', nowMs);
  noteServed(clock, 'b', nowMs);
  let turns = 0;
  let isOver = false;
  const otherWork = (): void => {
    turns++;
    nowMs += 40;
    noteServed(clock, turns % 2 === 0 ? 'a' : 'b', nowMs);
    if (!isOver) setImmediate(otherWork);
  };
  setImmediate(otherWork);

  await mapInSlices(numbers(100), () => (nowMs += 1), clock, 'a');
  isOver = true;
  expect(turns).toBeLessThan(30);
});

test('of several owners, the one with least of the thread is next', async () => {
  let nowMs = 0;
  const clock = { monotonic: () => nowMs };
  const order: string[] = [];
  const work = (owner: string, costMs: number) => () => {
    order.push(owner);
    nowMs += costMs;
  };
  const done = Promise.withResolvers<void>();
  for (let at = 0; at < 4; at++) atNextSlice(clock, 'heavy', work('heavy', 6));
  for (let at = 0; at < 6; at++) atNextSlice(clock, 'modest', work('modest', 1));
  atNextSlice(clock, urgentOwner, work('urgent', 1));
  atNextSlice(clock, 'zealous', done.resolve);
  await done.promise;
  while (order.length < 11) await new Promise(setImmediate);

  expect(order.slice(0, 8).join(' ')).toBe('urgent heavy modest modest modest modest modest modest');
});

test('an owner that has used more of the thread waits behind the others', async () => {
  let nowMs = 0;
  const clock = { monotonic: () => nowMs };
  const order: string[] = [];
  const serve = (owner: string) => {
    noteServed(clock, owner, nowMs);
    return inFairTurn(clock, owner, nowMs, () => {
      order.push(owner);
      nowMs += 0.2;
    });
  };
  for (const owner of ['heavy', 'modest']) void serve(owner);
  const flood = Array.from({ length: 6 }, () => serve('heavy'));
  const served = serve('modest');
  await Promise.all([...flood, served]);

  expect(order.slice(0, 4)).toEqual(['heavy', 'modest', 'heavy', 'modest']);
  expect(order.filter((owner) => owner === 'heavy').length).toBe(7);
});

test('an owner with several waiting pieces of work crowds others out, if there are others', () => {
  const clock = { monotonic: () => 0 };
  const isCrowdingBeside = (other: string, owner: string): boolean => {
    noteServed(clock, other, 0);
    noteServed(clock, owner, 0);
    return isCrowding(clock, owner, 0);
  };
  for (const owner of ['busy', 'busy', 'modest', urgentOwner, urgentOwner])
    atNextSlice(clock, owner, () => undefined);

  expect(isCrowdingBeside('busy', 'busy')).toBe(false);
  expect(isCrowdingBeside('modest', 'busy')).toBe(true);
  expect(isCrowdingBeside('busy', 'modest')).toBe(false);
  expect(isCrowdingBeside('busy', urgentOwner)).toBe(false);
});

test('a single owner waits only when the turn has become long', async () => {
  let nowMs = 0;
  const clock = { monotonic: () => nowMs };
  const serve = () => {
    noteServed(clock, 'a', nowMs);
    return inFairTurn(clock, 'a', nowMs, () => (nowMs += 1));
  };
  const served = Array.from({ length: 100 }, serve);

  expect(served.findIndex((each) => each instanceof Promise)).toBe(9);
  await Promise.all(served);
  expect(serve()).not.toBeInstanceOf(Promise);
});

test('a failure in the middle ends the work', async () => {
  const make = (one: number): number => {
    if (one === 900) throw new Error('no more');
    return one;
  };
  const made = mapInSlices(numbers(1_000), make, tickingClock(), 'a');
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
  const made = await mapAsyncInSlices(numbers(500), make, 100, tickingClock(), 'a');
  isOver = true;

  expect(made).toEqual(numbers(500).map((one) => one * 2));
  const counts = Map.groupBy(begunIn, (each) => each);
  expect(Math.max(...Array.from(counts.values(), ({ length }) => length))).toBeLessThanOrEqual(8);
});

test('work with a derived clock takes turns with that of the original one', () => {
  const clock = { monotonic: () => 0 };
  const derived = { monotonic: () => clock.monotonic() };
  sliceWith(derived, clock);

  for (const owner of ['alice', 'bob']) noteServed(clock, owner, clock.monotonic());

  expect(isContended(derived, clock.monotonic())).toBe(true);
});
