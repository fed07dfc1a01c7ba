import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { ResetGuard } from './reset-guard.ts';
import { resetWindowMs, streamResetsMax } from './transport-limits.ts';

const resets = (guard: ResetGuard, times: number): readonly boolean[] =>
  Array.from({ length: times }, () => guard.reset());

test('a connection that opens streams only to reset them is told from one that gives up now and then', () => {
  const clock = new ManualClock();
  const guard = new ResetGuard(clock);
  expect(resets(guard, streamResetsMax)).not.toContain(true);
  expect(guard.reset()).toBe(true);
});

test('what was reset in a window that is over counts no more', async () => {
  const clock = new ManualClock();
  const guard = new ResetGuard(clock);
  resets(guard, streamResetsMax);
  await clock.advance(resetWindowMs + 1);
  expect(resets(guard, streamResetsMax)).not.toContain(true);
});
