/** The delay of a key that failed: client-go's default controller rate limiter. */

import type { Clock } from '@coxswain/apimachinery';
import { TokenBucket } from '../rest/rate-limiter.ts';

/**
 * Determines how long a key that failed has to wait.
 * @example
 * const retry: RetryLimiter = exponentialRetry(100, 60_000);
 * console.log(retry.delayMs('default/web'), retry.failures('default/web')); // 100, 1
 * retry.forget('default/web');
 */
export interface RetryLimiter {
  /** Returns the milliseconds until the item may be retried; every call counts as a failure. */
  delayMs(item: string): number;
  /** Resets the item after a success. */
  forget(item: string): void;
  /** Returns the number of consecutive failures of the item. */
  failures(item: string): number;
}

/** The first delay: 5 ms, 10 ms, 20 ms … 1,000 s. */
export const failureFirstMs = 5;
/** The maximum delay after failures. */
export const failureMaxMs = 1_000_000;
/** For all items together: 10 per second, after a burst of 100. */
const retriesPerSecond = 10;
const retriesBurst = 100;

/**
 * Delays that double with each failure of a key: `firstMs`, twice that, … `maxMs`.
 * @example
 * const queue = new WorkQueue({ clock, retry: exponentialRetry(100, 60_000) });
 */
export function exponentialRetry(firstMs = failureFirstMs, maxMs = failureMaxMs): RetryLimiter {
  const failures = new Map<string, number>();
  return {
    delayMs(item) {
      const count = failures.get(item) ?? 0;
      failures.set(item, count + 1);
      return Math.min(maxMs, firstMs * 2 ** count);
    },
    forget: (item) => void failures.delete(item),
    failures: (item) => failures.get(item) ?? 0,
  };
}

/**
 * The longer of the exponential delay and that of a token bucket for all items.
 * @example
 * const queue = new WorkQueue({ clock, retry: controllerRetry(clock) }); // the default
 */
export function controllerRetry(clock: Clock, firstMs = failureFirstMs, maxMs = failureMaxMs): RetryLimiter {
  const each = exponentialRetry(firstMs, maxMs);
  const all = new TokenBucket(clock, retriesPerSecond, retriesBurst);
  return { ...each, delayMs: (item) => Math.max(each.delayMs(item), all.reserve()) };
}
