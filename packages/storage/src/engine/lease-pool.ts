import type { Clock } from '@coxswain/apimachinery';
import type { LeaseId } from '../storage.ts';

/** As in the original: objects of equal time to live share a lease for this long, … */
const reuseSecondsMax = 60;
/** … or until this many of them do, since a lease's keys are all deleted in one transaction. */
const keysPerLeaseMax = 1000;

interface SharedLease {
  readonly id: LeaseId;
  /** Until then, objects written may be attached to it and live long enough. */
  readonly sharedUntilMs: number;
  keys: number;
}

/** One lease for many objects of equal time to live: thousands of Events a minute need a few leases. */
export class LeasePool {
  readonly #clock: Clock;
  readonly #grant: (ttlSeconds: number) => Promise<LeaseId>;
  readonly #exists: (id: LeaseId) => boolean;
  readonly #shared = new Map<number, Promise<SharedLease>>();

  /** `grant` makes a new lease; `exists` tells whether one is there still: a reset or a revocation takes it away. */
  constructor(
    clock: Clock,
    grant: (ttlSeconds: number) => Promise<LeaseId>,
    exists: (id: LeaseId) => boolean = () => true,
  ) {
    this.#clock = clock;
    this.#grant = grant;
    this.#exists = exists;
  }

  /** A lease that ends `ttlSeconds` from now, or up to a minute later. */
  async leaseFor(ttlSeconds: number): Promise<LeaseId> {
    for (;;) {
      const shared = this.#shared.get(ttlSeconds) ?? this.#share(ttlSeconds);
      const lease = await shared;
      const isOpen =
        lease.keys < keysPerLeaseMax &&
        this.#clock.monotonic() < lease.sharedUntilMs &&
        this.#exists(lease.id);
      // A life too short to be shared is that of the first alone.
      if (isOpen || lease.keys === 0) {
        lease.keys++;
        return lease.id;
      }
      if (this.#shared.get(ttlSeconds) === shared) this.#shared.delete(ttlSeconds);
    }
  }

  #share(ttlSeconds: number): Promise<SharedLease> {
    const lease = this.#newLease(ttlSeconds);
    this.#shared.set(ttlSeconds, lease);
    return lease;
  }

  async #newLease(ttlSeconds: number): Promise<SharedLease> {
    // A short life is not stretched by a minute: by a twentieth at most.
    const reuseSeconds = Math.min(reuseSecondsMax, Math.floor(ttlSeconds / 20));
    const sharedUntilMs = this.#clock.monotonic() + reuseSeconds * 1000;
    try {
      return { id: await this.#grant(ttlSeconds + reuseSeconds), sharedUntilMs, keys: 0 };
    } catch (failure) {
      this.#shared.delete(ttlSeconds);
      throw failure;
    }
  }
}
