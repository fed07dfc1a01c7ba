/** Limits a client's request rate. The all-in-one does not use it, since the server protects itself. */

import type { Clock } from '@coxswain/apimachinery';

/**
 * Delays requests. You can implement your own.
 * @example
 * const limiter: RateLimiter = { wait: (signal) => clock.sleep(10, signal) };
 * await limiter.wait();
 */
export interface RateLimiter {
  /** Resolves when another request may be sent. */
  wait(signal?: AbortSignal): Promise<void>;
}

/** client-go's defaults, for programs that want to behave like it. */
export const defaultQueriesPerSecond = 5;
/** The default burst. */
export const defaultBurst = 10;

/**
 * Allows a burst of requests, then `perSecond` on average; waiting callers proceed in order.
 * @example
 * const limiter = new TokenBucket(clock, 50, 100); // 50 a second, after 100 at once
 * await limiter.wait(signal);
 * if (!limiter.tryAccept()) console.log(`the next one in ${limiter.reserve()} ms`);
 */
export class TokenBucket implements RateLimiter {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  /** Negative if callers are waiting. */
  #tokens: number;
  #refilledMs: number;

  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#refilledMs = clock.monotonic();
  }

  /** Takes a token if one is available. */
  tryAccept(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes a token and returns the milliseconds until it is valid. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  /** Takes a token and resolves when it is valid; rejects with the signal's reason when it aborts. */
  async wait(signal?: AbortSignal): Promise<void> {
    const delayMs = this.reserve();
    if (delayMs > 0) await this.#clock.sleep(delayMs, signal);
  }

  #refill(): void {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(
      this.#burst,
      this.#tokens + ((nowMs - this.#refilledMs) / 1000) * this.#perSecond,
    );
    this.#refilledMs = nowMs;
  }
}
