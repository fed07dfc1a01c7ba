import { expect, test, vi } from 'vitest';
import { detach } from './detach.ts';

test('a rejection of detached work goes to its handler', async () => {
  const reported: unknown[] = [];
  const failure = new Error('no space left on device');
  detach(Promise.reject(failure), (error) => reported.push(error));
  await Promise.resolve();
  expect(reported).toEqual([failure]);
});

test('without a handler, a rejection is printed and does not end the program', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  detach(Promise.reject(new Error('no space left on device')));
  await Promise.resolve();
  expect(print).toHaveBeenCalledWith(
    expect.stringMatching(/^Unhandled Error: Error: no space left on device/),
  );
  print.mockRestore();
});
