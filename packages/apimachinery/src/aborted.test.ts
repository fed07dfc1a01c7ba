import { expect, test } from 'vitest';
import { aborted } from './aborted.ts';

test('resolves when the signal aborts, and at once where it has', async () => {
  const stopping = new AbortController();
  let isOver = false;
  const waiting = aborted(stopping.signal).then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  stopping.abort();
  await waiting;
  await aborted(stopping.signal);
});
