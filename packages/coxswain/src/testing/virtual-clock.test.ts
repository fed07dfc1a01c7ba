import { expect, test } from 'vitest';
import { chooseSeed, randomFor, uidsFrom } from './seed.ts';
import { VirtualClock, durationMs } from './virtual-clock.ts';

test('timers fire when they are due, those of one moment in the order in which they were set', () => {
  const clock = new VirtualClock(0);
  const fired: string[] = [];
  clock.after(20, () => fired.push(`late at ${clock.now()}`));
  clock.after(10, () => fired.push(`first at ${clock.now()}`));
  clock.after(10, () => fired.push('second'));
  clock.after(5, () => fired.push('never')).cancel();

  expect(clock.nextDueMs).toBe(10);
  while (clock.fireNext(10));
  expect(fired).toEqual(['first at 10', 'second']);
  expect(clock.fireNext(19)).toBe(false);
  expect(clock.fireNext(20)).toBe(true);
  expect(fired.at(-1)).toBe('late at 20');
});

test('timers that were cancelled in great number are forgotten, and no other', () => {
  const clock = new VirtualClock(0);
  let fired = 0;
  clock.after(5000, () => fired++);
  for (let index = 0; index < 5000; index++) clock.after(index, () => fired++).cancel();

  while (clock.fireNext(10_000));

  expect(fired).toBe(1);
  expect(clock.now()).toBe(5000);
});

test('a sleep ends when its signal is aborted', async () => {
  const clock = new VirtualClock(0);
  const stopping = new AbortController();
  const slept = clock.sleep(1000, stopping.signal);
  stopping.abort(new Error('enough'));

  await expect(slept).rejects.toThrow('enough');
  expect(clock.nextDueMs).toBeUndefined();
});

test('durations are written as in Go', () => {
  expect(durationMs('1h2m3.5s')).toBe(3_723_500);
  expect(durationMs(7)).toBe(7);
  expect(() => durationMs('soon')).toThrow();
});

test('the seed is the requested one, or that of the environment', () => {
  expect(chooseSeed(7, '8')).toBe(7);
  expect(chooseSeed(undefined, '8')).toBe(8);
  expect(() => chooseSeed(undefined, 'x')).toThrow('COXSWAIN_SEED must be a number, not "x"');
});

test('uids from one seed are UUIDs, all different, and the same again', () => {
  const uids = (seed: number) => Array.from({ length: 100 }, uidsFrom(randomFor(seed, 'uids')));

  expect(uids(1)).toEqual(uids(1));
  expect(new Set([...uids(1), ...uids(2)]).size).toBe(200);
  for (const uid of uids(1))
    expect(uid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
