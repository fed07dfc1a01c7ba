import type { Clock } from '@coxswain/apimachinery';
import { sliceWith } from '@coxswain/apimachinery/slices.ts';

/** The maximum number of waits that are skipped; after that, a script continues at the current time. */
const skippedMax = 1_000;

/**
 * The clock of a process that has run since `startedMs` although nothing executed it until now. Its waits take no time
 * until it has caught up, so its output and its end are as if it had run all along.
 */
export function catchUpClock(clock: Clock, startedMs: number): Clock {
  let behindMs: number | undefined = startedMs < clock.now() ? startedMs : undefined;
  let skipped = 0;
  const now = () => behindMs ?? clock.now();
  const derived: Clock = {
    now,
    monotonic: () => clock.monotonic(),
    after: (delayMs, callback, options) => clock.after(delayMs, callback, options),
    sleep(delayMs, signal) {
      const untilMs = now() + delayMs;
      const isPast = behindMs !== undefined && untilMs <= clock.now() && skipped++ < skippedMax;
      behindMs = isPast ? untilMs : undefined;
      return isPast ? Promise.resolve() : clock.sleep(Math.max(0, untilMs - clock.now()), signal);
    },
  };
  sliceWith(derived, clock);
  return derived;
}
