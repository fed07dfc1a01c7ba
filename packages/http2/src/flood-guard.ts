/**
 * Counts what costs a client nothing and the server something, per window of time: streams that are opened to be
 * reset, by the client or by errors that it makes, and frames that bring nothing.
 */
import type { Clock } from '@coxswain/apimachinery';
import { ConnectionFailure, errorCodes } from './frames/frame.ts';

export const floodWindowMs = 10_000;

/** How many of each are taken within {@link floodWindowMs}. */
export const floodBounds = {
  /** Streams that the client reset, or made us reset. */
  resets: 1000,
  /** Clients of gRPC send one for each answer they read, but never two at once. */
  pings: 10_000,
  settings: 100,
  priorities: 1000,
  /** Data without data that doesn't end the stream. */
  emptyData: 1000,
  /** On streams that are over, or of types that nobody knows. */
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

  /** @throws ConnectionFailure when it was one too many */
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
