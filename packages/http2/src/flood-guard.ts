/**
 * Counts per time window what costs a client nothing and the server something: streams that are opened only to be reset
 * (by the client, or through its errors), and frames without effect.
 */
import type { Clock } from '@coxswain/apimachinery';
import { ConnectionFailure, errorCodes } from './frames/frame.ts';

export const floodWindowMs = 10_000;

/** The maximum number of each within {@link floodWindowMs}. */
export const floodBounds = {
  /** Streams that the client reset, or caused us to reset. */
  resets: 1000,
  /** gRPC clients send one for each response they read, but never two at once. */
  pings: 10_000,
  settings: 100,
  priorities: 1000,
  /** Empty data frames that do not end the stream. */
  emptyData: 1000,
  /** Frames on closed streams, or of unknown types. */
  strayFrames: 10_000,
} as const;

export type FloodKind = keyof typeof floodBounds;

export class FloodGuard {
  readonly #clock: Clock;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #counts: Partial<Record<FloodKind, number>> = {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws ConnectionFailure if the maximum is exceeded */
  count(kind: FloodKind): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#windowStartMs > floodWindowMs) {
      this.#windowStartMs = nowMs;
      this.#counts = {};
    }
    const count = (this.#counts[kind] ?? 0) + 1;
    this.#counts[kind] = count;
    if (count > floodBounds[kind])
      throw new ConnectionFailure(errorCodes.enhanceYourCalm, `${count} ${kind} in ${floodWindowMs} ms`);
  }
}
