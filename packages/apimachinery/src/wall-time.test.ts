/** Work in real time, counted for whoever advances a virtual clock. */

import { expect, test } from 'vitest';
import { inWallTime, worksInWallTime } from './wall-time.ts';

test('work is counted until it ends, also when it fails', async () => {
  const work = Promise.withResolvers<string>();
  const counted = inWallTime(() => work.promise);
  expect(worksInWallTime()).toBe(1);
  work.reject(new Error('no'));
  await expect(counted).rejects.toThrow('no');
  expect(worksInWallTime()).toBe(0);
});

test('copies of this module in other packages count the same work', async () => {
  const file = './wall-time.ts?copy';
  const copy = (await import(file)) as typeof import('./wall-time.ts');
  expect(copy.inWallTime).not.toBe(inWallTime);
  const end = copy.beginInWallTime();
  expect(worksInWallTime()).toBe(1);
  end();
  expect(worksInWallTime()).toBe(0);
});
