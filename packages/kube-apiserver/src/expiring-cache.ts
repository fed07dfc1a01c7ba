/** A cache with expiry; the least recently used entry is evicted first. */
import type { Clock } from '@coxswain/apimachinery';
import { LruMap } from '@coxswain/client/events/lru-map.ts';

export class ExpiringCache<V> {
  readonly #clock: Clock;
  readonly #entries: LruMap<string, { readonly value: V; readonly untilMs: number }>;

  constructor(clock: Clock, sizeMax: number) {
    this.#clock = clock;
    this.#entries = new LruMap(sizeMax);
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.untilMs > this.#clock.monotonic() ? entry.value : undefined;
  }

  /** A TTL of 0 milliseconds stores nothing. */
  set(key: string, value: V, ttlMs: number): void {
    if (ttlMs > 0) this.#entries.set(key, { value, untilMs: this.#clock.monotonic() + ttlMs });
  }
}
