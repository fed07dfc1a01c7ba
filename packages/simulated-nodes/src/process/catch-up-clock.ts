import type { Clock } from '@coxswain/apimachinery';

/** Waits that are skipped at most; a script that would wait more often goes on from now. */
const skippedMax = 1_000;

/**
 * Time as a process sees it that has run since `startedMs`, although nobody ran it until now: its waits take no time
 * until it is where it would be by now. So what it printed, and when it ends, is as if it had never been interrupted.
 */
export function catchUpClock(clock: Clock, startedMs: number): Clock {
  let behindMs: number | undefined = startedMs < clock.now() ? startedMs : undefined;
  let skipped = 0;
  const now = () => behindMs ?? clock.now();
  return {
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
}
