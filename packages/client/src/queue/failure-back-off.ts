/** How long a key that failed has to wait: client-go's default controller rate limiter. */

import type { Clock } from '@coxswain/apimachinery';
import { TokenBucket } from '../rest/rate-limiter.ts';

export interface RetryLimiter {
  /** Milliseconds until the item may be tried again; every call counts as a failure. */
  delayMs(item: string): number;
  /** The item succeeded. */
  forget(item: string): void;
  failures(item: string): number;
}

/** 5 ms, 10 ms, 20 ms … 1,000 s. */
export const failureFirstMs = 5;
export const failureMaxMs = 1_000_000;
/** All items together: 10 a second, after 100 at once. */
const retriesPerSecond = 10;
const retriesBurst = 100;

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

/** The longer of the exponential delay and what a token bucket over all items demands. */
export function controllerRetry(clock: Clock, firstMs = failureFirstMs, maxMs = failureMaxMs): RetryLimiter {
  const each = exponentialRetry(firstMs, maxMs);
  const all = new TokenBucket(clock, retriesPerSecond, retriesBurst);
  return { ...each, delayMs: (item) => Math.max(each.delayMs(item), all.reserve()) };
}
