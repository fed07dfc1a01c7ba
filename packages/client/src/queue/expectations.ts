/**
 * What a controller has done and not yet seen in its cache (k8s.io/kubernetes/pkg/controller). Until it
 * has seen it, or five minutes have passed, it must not decide anew on what the cache shows.
 */

import type { Clock } from '@coxswain/apimachinery';

export const expectationsTimeoutMs = 5 * 60_000;

interface Expectation {
  creations: number;
  deletions: number;
  readonly sinceMs: number;
}

export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expectation>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the cache shows all that was done, or nobody waits any more. */
  satisfied(key: string): boolean {
    const expected = this.#expected.get(key);
    if (expected === undefined) return true;
    if (expected.creations <= 0 && expected.deletions <= 0) return true;
    return this.#clock.monotonic() - expected.sinceMs > expectationsTimeoutMs;
  }

  expectCreations(key: string, count: number): void {
    this.#expected.set(key, { creations: count, deletions: 0, sinceMs: this.#clock.monotonic() });
  }

  expectDeletions(key: string, count: number): void {
    this.#expected.set(key, { creations: 0, deletions: count, sinceMs: this.#clock.monotonic() });
  }

  expect(key: string, creations: number, deletions: number): void {
    this.#expected.set(key, { creations, deletions, sinceMs: this.#clock.monotonic() });
  }

  raise(key: string, creations: number, deletions: number): void {
    const expected = this.#expected.get(key);
    if (expected === undefined) return;
    expected.creations += creations;
    expected.deletions += deletions;
  }

  creationObserved(key: string): void {
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.creations--;
  }

  deletionObserved(key: string): void {
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.deletions--;
  }

  pending(key: string): { readonly creations: number; readonly deletions: number } {
    return this.#expected.get(key) ?? { creations: 0, deletions: 0 };
  }

  forget(key: string): void {
    this.#expected.delete(key);
  }
}

/** Deletions counted by object: one that is seen twice counts once. */
export class UidExpectations extends Expectations {
  readonly #uids = new Map<string, Set<string>>();

  expectDeletionsOf(key: string, objects: readonly string[]): void {
    this.#uids.set(key, new Set(objects));
    this.expectDeletions(key, objects.length);
  }

  deletionOfObserved(key: string, object: string): void {
    if (this.#uids.get(key)?.delete(object)) this.deletionObserved(key);
  }

  override forget(key: string): void {
    this.#uids.delete(key);
    super.forget(key);
  }
}
