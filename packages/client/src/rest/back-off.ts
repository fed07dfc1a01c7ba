/** Growing delays, with the constants of apimachinery's util/wait and client-go. */

import type { Clock, Random } from '@coxswain/apimachinery';

/** @internal */
export interface BackOffShape {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly factor: number;
  /** Each delay is longer by up to this share of itself. */
  readonly jitter: number;
  /** Without a failure for so long the next delay is the first again. */
  readonly resetMs: number;
}

/**
 * Of a reflector whose list or watch fails.
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

  /** The delay before the next try. */
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
 * Per host, for clients that are told to be careful (KUBE_CLIENT_BACKOFF_BASE and _DURATION).
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

  /** How long to wait before the next request to this host. */
  delayMs(host: string): number {
    return this.#delays.get(host) ?? 0;
  }

  /** Overloaded and broken servers are asked less and less often; any other answer forgives all. */
  note(host: string, status: number | undefined): void {
    if (status !== undefined && status !== 429 && status < 500) {
      this.#delays.delete(host);
      return;
    }
    this.#delays.set(host, Math.min(this.#maxMs, (this.#delays.get(host) ?? this.#baseMs / 2) * 2));
  }
}
