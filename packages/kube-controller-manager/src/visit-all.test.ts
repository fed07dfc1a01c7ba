import { nextTurn } from '@coxswain/apimachinery/next-turn.ts';
import { expect, test } from 'vitest';
import { visitAll } from './visit-all.ts';

test('a round over very many objects takes many turns, and visits each once', async () => {
  const objects = Array.from({ length: 1000 }, (_, index) => index);
  const visited: number[] = [];
  let [ms, turns, isOver] = [0, 0, false];
  const round = visitAll(objects, (object) => void (visited.push(object), ms++), { monotonic: () => ms });
  void round.then(() => (isOver = true));
  for (let before = 0; !isOver; before = visited.length, turns++) {
    expect(visited.length - before).toBeLessThanOrEqual(16);
    await nextTurn();
  }
  expect(visited).toEqual(objects);
  expect(turns).toBeGreaterThan(1000 / 16);
});

test('a visit that waits is completed before the next one', async () => {
  const steps: string[] = [];
  const write = async (object: string) => {
    await nextTurn();
    steps.push(`wrote ${object}`);
  };
  const visit = (object: string) => {
    steps.push(object);
    return object === 'b' ? write(object) : undefined;
  };
  await visitAll(['a', 'b', 'c'], visit, { monotonic: () => 0 });
  expect(steps).toEqual(['a', 'b', 'wrote b', 'c']);
});

test('an error in a visit ends the round', async () => {
  const round = visitAll(['a'], () => Promise.reject(new Error('refused')), { monotonic: () => 0 });
  await expect(round).rejects.toThrow('refused');
});
