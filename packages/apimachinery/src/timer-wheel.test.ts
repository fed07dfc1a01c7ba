import { expect, test } from 'vitest';
import { ManualClock } from './clock.ts';
import { TimerWheel } from './timer-wheel.ts';

function wheelOf50Ms() {
  const clock = new ManualClock();
  return { clock, wheel: new TimerWheel(clock, 50) };
}

test('timers of one tick share one timer of the clock, and fire in order at its end', async () => {
  const { clock, wheel } = wheelOf50Ms();
  const fired: string[] = [];
  const note = (name: string) => () => void fired.push(`${name} at ${clock.monotonic()}`);
  wheel.after(1020, note('first'));
  wheel.after(1049, note('second'));
  wheel.after(1051, note('next tick'));
  expect(clock.pending).toBe(2);
  await clock.advance(1049);
  expect(fired).toEqual([]);
  await clock.advance(51);
  expect(fired).toEqual(['first at 1050', 'second at 1050', 'next tick at 1100']);
  expect(clock.pending).toBe(0);
});

test('a cancelled timer does not fire, and the last one of a tick takes the timer with it', async () => {
  const { clock, wheel } = wheelOf50Ms();
  const fired: string[] = [];
  const cancelled = wheel.after(10, () => void fired.push('cancelled'));
  const other = wheel.after(20, () => void fired.push('other'));
  cancelled.cancel();
  expect(clock.pending).toBe(1);
  other.cancel();
  expect(clock.pending).toBe(0);
  await clock.advance(100);
  expect(fired).toEqual([]);
});

test('timers set while a tick fires happen in a later turn', async () => {
  const { clock, wheel } = wheelOf50Ms();
  const fired: number[] = [];
  wheel.after(50, () => {
    fired.push(clock.monotonic());
    wheel.after(0, () => void fired.push(clock.monotonic()));
  });
  await clock.advance(50);
  await clock.advance(50);
  expect(fired).toEqual([50, 50]);
});

test('a sleep ends with the signal', async () => {
  const { clock, wheel } = wheelOf50Ms();
  const stopping = new AbortController();
  const sleeping = wheel.sleep(1000, stopping.signal);
  stopping.abort(new Error('stopping'));
  await expect(sleeping).rejects.toThrow('stopping');
  expect(clock.pending).toBe(0);
});
