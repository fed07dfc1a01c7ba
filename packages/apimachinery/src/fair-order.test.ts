import { expect, test } from 'vitest';
import { FairOrder, urgentOwner } from './fair-order.ts';

const orderOf = <T>() => new FairOrder<T>({ awayAfterMs: 100, creditMax: 20 });

/** Takes `count` of them; each costs the number after the colon in its name. */
function taken(order: FairOrder<string>, count: number): string[] {
  return Array.from({ length: count }, () => {
    const { owner, work } = order.shift()!;
    order.charge(owner, Number(work.split(':')[1]), 0);
    return work;
  });
}

test('of the waiting owners the one that has had least is next', () => {
  const order = orderOf<string>();
  for (const work of ['a:4', 'a:4', 'a:4']) order.push('a', work, 0);
  for (const work of ['b:1', 'b:1', 'b:1', 'b:1']) order.push('b', work, 0);

  expect(taken(order, 7)).toEqual(['a:4', 'b:1', 'b:1', 'b:1', 'b:1', 'a:4', 'a:4']);
  expect(order.shift()).toBeUndefined();
});

test('a new owner has no credit', () => {
  const order = orderOf<string>();
  for (let at = 0; at < 100; at++) order.push('a', 'a:1', 0);
  taken(order, 50);
  for (let at = 0; at < 100; at++) order.push('b', 'b:1', 0);

  const next = taken(order, 40);
  expect(next.filter((work) => work === 'a:1').length).toBeGreaterThanOrEqual(19);
});

test('an owner that is not waiting still counts for comparisons', () => {
  const order = orderOf<string>();
  order.charge('modest', 1, 0);
  order.charge('greedy', 2, 0);

  expect([0, 99, 100].map((nowMs) => order.isAhead('greedy', 0.5, nowMs))).toEqual([true, true, false]);
  expect(order.isAhead('modest', 0.5, 0)).toBe(false);
});

test('an owner that has used less goes first, but within a limit', () => {
  const order = orderOf<string>();
  order.charge('modest', 1, 0);
  for (let at = 0; at < 100; at++) order.push('greedy', 'greedy:10', 0);
  taken(order, 50);
  for (let at = 0; at < 100; at++) order.push('modest', 'modest:8', 0);

  expect(
    taken(order, 6)
      .map((work) => work[0])
      .join(''),
  ).toBe('mmmgmg');
});

test('usage without waiting counts', () => {
  const order = orderOf<string>();
  order.charge('b', 0, 0);
  order.charge('a', 2.5, 0);
  for (let at = 0; at < 4; at++) order.push('a', 'a:1', 0);
  for (let at = 0; at < 4; at++) order.push('b', 'b:1', 0);

  expect(taken(order, 4)).toEqual(['b:1', 'b:1', 'b:1', 'a:1']);
});

test('urgent work goes before everything else', () => {
  const order = orderOf<string>();
  order.push('a', 'a:1', 0);
  order.push(urgentOwner, 'first:9', 0);
  order.push(urgentOwner, 'second:9', 0);

  expect(taken(order, 3)).toEqual(['first:9', 'second:9', 'a:1']);
});

test('of very many owners, those with nothing to come are forgotten', () => {
  const order = orderOf<number>();
  for (let at = 0; at < 10_000; at++) {
    order.push(`user-${at}`, at, 0);
    const { owner, work } = order.shift()!;
    expect(work).toBe(at);
    order.charge(owner, 0.001, 0);
  }
  expect(order.isEmpty).toBe(true);
});
