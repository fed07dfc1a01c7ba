/**
 * Tracks what a controller has done but not yet seen in its cache (k8s.io/kubernetes/pkg/controller). Until it has seen
 * that, or five minutes have passed, it must not act on the cache again.
 */

import type { Clock } from '@coxswain/apimachinery';

/** @internal */
export const expectationsTimeoutMs = 5 * 60_000;

interface Expectation {
  creations: number;
  /** By uid, so that a deletion that is seen twice, or that of another object, is not counted. */
  readonly deletions: Set<string>;
  readonly sinceMs: number;
}

/** @internal */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expectation>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the cache shows everything that was done, or the expectation has timed out. */
  satisfied(key: string): boolean {
    const expected = this.#expected.get(key);
    if (expected === undefined) return true;
    if (expected.creations <= 0 && expected.deletions.size === 0) return true;
    return this.#clock.monotonic() - expected.sinceMs > expectationsTimeoutMs;
  }

  /** Replaces earlier expectations. */
  expect(key: string, creations: number, deletions: readonly string[]): void {
    this.#expected.set(key, {
      creations,
      deletions: new Set(deletions),
      sinceMs: this.#clock.monotonic(),
    });
  }

  expectCreations(key: string, count: number): void {
    this.expect(key, count, []);
  }

  expectDeletions(key: string, objects: readonly string[]): void {
    this.expect(key, 0, objects);
  }

  /** Records creations that were seen, or that have failed. */
  creationObserved(key: string, count = 1): void {
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.creations -= count;
  }

  deletionObserved(key: string, object: string): void {
    this.#expected.get(key)?.deletions.delete(object);
  }

  forget(key: string): void {
    this.#expected.delete(key);
  }
}
