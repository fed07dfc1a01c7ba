import type { Clock } from '@coxswain/apimachinery';
import type { LeaseId } from '../storage.ts';

/** As upstream: objects with the same time to live share a lease for this long, … */
const reuseSecondsMax = 60;
/** … or until this many of them do, since a lease's keys are all deleted in one transaction. */
const keysPerLeaseMax = 1000;

interface SharedLease {
  readonly id: LeaseId;
  /** Until then, written objects may be attached to it and live long enough. */
  readonly sharedUntilMs: number;
  keys: number;
}

/** Shares a lease among many objects with the same time to live: thousands of Events per minute need a few leases. */
export class LeasePool {
  readonly #clock: Clock;
  readonly #grant: (ttlSeconds: number) => Promise<LeaseId>;
  readonly #exists: (id: LeaseId) => boolean;
  readonly #shared = new Map<number, Promise<SharedLease>>();

  /** `grant` creates a lease; `exists` reports whether one still exists, since a reset or a revocation removes it. */
  constructor(
    clock: Clock,
    grant: (ttlSeconds: number) => Promise<LeaseId>,
    exists: (id: LeaseId) => boolean = () => true,
  ) {
    this.#clock = clock;
    this.#grant = grant;
    this.#exists = exists;
  }

  /** A lease that expires `ttlSeconds` from now, or up to a minute later. */
  async leaseFor(ttlSeconds: number): Promise<LeaseId> {
    for (;;) {
      const shared = this.#shared.get(ttlSeconds) ?? this.#share(ttlSeconds);
      const lease = await shared;
      const isOpen =
        lease.keys < keysPerLeaseMax &&
        this.#clock.monotonic() < lease.sharedUntilMs &&
        this.#exists(lease.id);
      // A lease too short to be shared belongs to its first object only.
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
    // Sharing extends short lives by at most a twentieth, not by a minute.
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
