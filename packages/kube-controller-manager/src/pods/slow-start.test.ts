import { expect, test } from 'vitest';
import { slowStart } from './slow-start.ts';

test('batches double until all is done', async () => {
  const batches: number[] = [];
  let running = 0;
  const outcome = await slowStart(10, async () => {
    running += 1;
    await Promise.resolve();
    if (running > 0) batches.push(running);
    running = 0;
  });
  expect(outcome).toEqual({ succeeded: 10 });
  expect(batches).toEqual([1, 2, 4, 3]);
});

test('the first batch with a failure is the last', async () => {
  let calls = 0;
  const outcome = await slowStart(100, async (index) => {
    calls += 1;
    if (index === 1) throw new Error('quota is used up');
  });
  expect(calls).toBe(3);
  expect(outcome).toMatchObject({ succeeded: 2, failure: new Error('quota is used up') });
});
