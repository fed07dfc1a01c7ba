/** The eviction queues of all zones, and how they react when zones fail and recover. */
import type { Clock } from '@coxswain/apimachinery';
import { EvictionQueue } from './eviction-queue.ts';
import { evictionRateOf, zoneStateOf, type ZoneHealth, type ZoneState } from './zone-state.ts';
import type { EvictionRates } from '../settings.ts';

/** A change of the whole cluster: no node is ready any more, or one is again. */
export type Turn = 'all down' | 'some back';

export class ZoneEvictions {
  readonly #clock: Clock;
  readonly #rates: EvictionRates;
  readonly #states = new Map<string, ZoneState>();
  readonly #queues = new Map<string, EvictionQueue>();

  constructor(clock: Clock, rates: EvictionRates) {
    this.#clock = clock;
    this.#rates = rates;
  }

  /** A zone that appears, or reappears, starts afresh. Returns whether it did. */
  observe(zone: string): boolean {
    if (this.#states.has(zone)) return false;
    this.#states.set(zone, 'initial');
    this.#queues.set(zone, new EvictionQueue(this.#clock, this.#rates.usual));
    return true;
  }

  queueOf(zone: string): EvictionQueue | undefined {
    return this.#queues.get(zone);
  }

  get queues(): Iterable<EvictionQueue> {
    return this.#queues.values();
  }

  /**
   * If all nodes of all zones seem to be down, the problem is probably on our side, so nothing is evicted. If only some
   * zones are down, their nodes are evicted at the usual rate.
   */
  judge(zones: ReadonlyMap<string, ZoneHealth>): Turn | undefined {
    for (const zone of this.#states.keys()) if (!zones.has(zone)) this.#states.delete(zone);
    for (const zone of zones.keys()) this.observe(zone);
    const next = [...zones].map(
      ([zone, health]) => [zone, health, zoneStateOf(health, this.#rates)] as const,
    );
    const isDown = next.every(([, , state]) => state === 'full');
    const wasDown = [...this.#states.values()].every((state) => state === 'full');
    if (isDown && wasDown) return undefined;
    for (const [zone, health, state] of next) {
      if (!isDown && !wasDown && state === this.#states.get(zone)) continue;
      this.#queues.get(zone)!.setRate(isDown ? 0 : evictionRateOf(state, health, this.#rates));
      this.#states.set(zone, state);
    }
    return isDown ? 'all down' : wasDown ? 'some back' : undefined;
  }
}
