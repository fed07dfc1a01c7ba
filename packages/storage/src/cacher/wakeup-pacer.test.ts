import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { WakeupPacer } from './wakeup-pacer.ts';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function wakesOf(
  count: number,
): Promise<{ clock: ManualClock; wakes: number[]; schedule: () => void }> {
  const clock = new ManualClock();
  const pace = new WakeupPacer(clock, true);
  const wakes: number[] = [];
  const schedule = (): void =>
    pace.schedule(() => {
      wakes.push(clock.monotonic());
      return count;
    });
  schedule();
  await turn();
  return { clock, wakes, schedule };
}

test('the first wakeup of a turn follows the running task; another one waits for the next turn', async () => {
  const pace = new WakeupPacer(new ManualClock(), true);
  const seen: string[] = [];
  const schedule = (name: string): void => pace.schedule(() => seen.push(name));
  schedule('first');
  expect(seen).toEqual([]);
  await Promise.resolve();
  schedule('second');
  await Promise.resolve();
  expect(seen).toEqual(['first']);
  await turn();
  expect(seen).toEqual(['first', 'second']);
});

test('a few watchers never wait', async () => {
  const { wakes, schedule } = await wakesOf(5);
  schedule();
  await turn();
  expect(wakes).toEqual([0, 0]);
});

test('after many were woken the next wake waits, and not longer than 50 ms', async () => {
  for (const [count, expectedMs] of [
    [100, 10],
    [100_000, 50],
  ] as const) {
    const { clock, wakes, schedule } = await wakesOf(count);
    schedule();
    await clock.advance(expectedMs - 1);
    expect(wakes).toEqual([0]);
    await clock.advance(1);
    expect(wakes).toEqual([0, expectedMs]);
  }
});

test('a wakeup after the pause does not wait', async () => {
  const { clock, wakes, schedule } = await wakesOf(100);
  await clock.advance(500);
  schedule();
  await turn();
  expect(wakes).toEqual([0, 500]);
});
