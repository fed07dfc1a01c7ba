import { expect, test } from 'vitest';
import { FairOrder, urgentOwner } from './fair-order.ts';

/** Takes out `count` of them; each costs what its name says behind the colon. */
function taken(order: FairOrder<string>, count: number): string[] {
  return Array.from({ length: count }, () => {
    const { owner, work } = order.shift()!;
    order.charge(owner, Number(work.split(':')[1]));
    return work;
  });
}

test('of those who wait, the one who has had least is next', () => {
  const order = new FairOrder<string>();
  for (const work of ['a:4', 'a:4', 'a:4']) order.push('a', work);
  for (const work of ['b:1', 'b:1', 'b:1', 'b:1']) order.push('b', work);

  expect(taken(order, 7)).toEqual(['a:4', 'b:1', 'b:1', 'b:1', 'b:1', 'a:4', 'a:4']);
  expect(order.shift()).toBeUndefined();
});

test('who comes anew has saved nothing up', () => {
  const order = new FairOrder<string>();
  for (let at = 0; at < 100; at++) order.push('a', 'a:1');
  taken(order, 50);
  for (let at = 0; at < 100; at++) order.push('b', 'b:1');

  const next = taken(order, 40);
  expect(next.filter((work) => work === 'a:1').length).toBeGreaterThanOrEqual(19);
});

test('what was had without having waited counts', () => {
  const order = new FairOrder<string>();
  order.charge('a', 3);
  for (let at = 0; at < 4; at++) order.push('a', 'a:1');
  for (let at = 0; at < 4; at++) order.push('b', 'b:1');

  expect(taken(order, 4)).toEqual(['b:1', 'b:1', 'b:1', 'a:1']);
});

test('what is urgent goes before all else', () => {
  const order = new FairOrder<string>();
  order.push('a', 'a:1');
  order.push(urgentOwner, 'first:9');
  order.push(urgentOwner, 'second:9');

  expect(taken(order, 3)).toEqual(['first:9', 'second:9', 'a:1']);
});

test('of very many owners, those with nothing to come are forgotten', () => {
  const order = new FairOrder<number>();
  for (let at = 0; at < 10_000; at++) {
    order.push(`user-${at}`, at);
    const { owner, work } = order.shift()!;
    expect(work).toBe(at);
    order.charge(owner, 0.001);
  }
  expect(order.isEmpty).toBe(true);
});
