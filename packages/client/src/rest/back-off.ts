/** Growing delays, with the constants of apimachinery's util/wait and client-go. */

import type { Clock, Random } from '@coxswain/apimachinery';

/** @internal */
export interface BackOffShape {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly factor: number;
  /** Each delay is extended by up to this fraction. */
  readonly jitter: number;
  /** After this long without a failure, the delay is reset. */
  readonly resetMs: number;
}

/**
 * For a reflector whose list or watch fails.
 * @internal
 */
export const reflectorBackOff: BackOffShape = {
  firstMs: 800,
  maxMs: 30_000,
  factor: 2,
  jitter: 1,
  resetMs: 120_000,
};

/** @internal */
export class BackOff {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #shape: BackOffShape;
  #nextMs: number;
  #askedMs = -Infinity;

  constructor(clock: Clock, random: Random, shape: BackOffShape) {
    this.#clock = clock;
    this.#random = random;
    this.#shape = shape;
    this.#nextMs = shape.firstMs;
  }

  /** Returns the delay before the next attempt. */
  next(): number {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#askedMs > this.#shape.resetMs) this.#nextMs = this.#shape.firstMs;
    this.#askedMs = nowMs;
    const delayMs = this.#nextMs;
    this.#nextMs = Math.min(this.#shape.maxMs, delayMs * this.#shape.factor);
    return delayMs * (1 + this.#shape.jitter * this.#random.next());
  }

  reset(): void {
    this.#nextMs = this.#shape.firstMs;
  }
}

/**
 * Per host, for clients that are configured to back off (KUBE_CLIENT_BACKOFF_BASE and _DURATION).
 * @internal
 */
export class HostBackOff {
  readonly #delays = new Map<string, number>();
  readonly #baseMs: number;
  readonly #maxMs: number;

  constructor(baseMs: number, maxMs: number) {
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
  }

  /** Returns how long to wait before the next request to this host. */
  delayMs(host: string): number {
    return this.#delays.get(host) ?? 0;
  }

  /** The delay grows for overloaded and failing servers; any other response resets it. */
  note(host: string, status: number | undefined): void {
    if (status !== undefined && status !== 429 && status < 500) {
      this.#delays.delete(host);
      return;
    }
    this.#delays.set(host, Math.min(this.#maxMs, (this.#delays.get(host) ?? this.#baseMs / 2) * 2));
  }
}
