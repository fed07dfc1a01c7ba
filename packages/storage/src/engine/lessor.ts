import type { Clock, Timer } from '@coxswain/apimachinery';
import { Tree } from '../tree/tree.ts';
import type { Event, LeaseId } from '../storage.ts';
import type { Lease } from './engine.ts';
import type { StoredLease, Table } from './table.ts';

/** The delay before expired leases are retried after a failed write. */
const retryMs = 1_000;

/**
 * Leases, the keys attached to them, and one timer for the lease that expires next. At run time their expiry is on the
 * monotonic clock; only the stored form has a time of day.
 */
export class Lessor {
  readonly #clock: Clock;
  readonly #onExpired: (leases: readonly Lease[]) => void;
  #leases = new Map<LeaseId, Lease>();
  #keys = new Map<LeaseId, Set<string>>();
  /** By time of expiry, then id. */
  #due = new Tree<string, LeaseId>();
  #timer: Timer | undefined;
  #timerAtMs = Infinity;
  #notBeforeMs = -Infinity;

  constructor(clock: Clock, opened: Table['opened'], onExpired: (leases: readonly Lease[]) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
    this.load(opened);
  }

  load({ leases, leasedKeys }: Pick<Table['opened'], 'leases' | 'leasedKeys'>): void {
    this.#replace(
      leases.map((lease) => this.#running(lease)),
      leasedKeys,
    );
  }

  /** Returns to the stored state after a failed write. Known leases keep their expiry. */
  restore({ leases, leasedKeys }: Pick<Table['opened'], 'leases' | 'leasedKeys'>): void {
    const known = this.#leases;
    this.#notBeforeMs = this.#clock.monotonic() + retryMs;
    this.#replace(
      leases.map((lease) => known.get(lease.id) ?? this.#running(lease)),
      leasedKeys,
    );
  }

  /** The stored form of a lease. */
  storedFormOf({ id, ttlSeconds, expiresAtMs }: Lease): StoredLease {
    return { id, ttlSeconds, expiresAtUnixMs: this.#clock.now() + expiresAtMs - this.#clock.monotonic() };
  }

  get(id: LeaseId): Lease | undefined {
    return this.#leases.get(id);
  }

  all(): readonly Lease[] {
    return [...this.#leases.values()];
  }

  keys(id: LeaseId): readonly string[] {
    return [...(this.#keys.get(id) ?? [])].sort();
  }

  set(lease: Lease): void {
    const previous = this.#leases.get(lease.id);
    if (previous !== undefined) this.#due.delete(dueKey(previous));
    else this.#keys.set(lease.id, new Set());
    this.#leases.set(lease.id, lease);
    this.#due.set(dueKey(lease), lease.id);
    this.#schedule();
  }

  remove(id: LeaseId): void {
    const lease = this.#leases.get(id);
    if (lease === undefined) return;
    this.#leases.delete(id);
    this.#keys.delete(id);
    this.#due.delete(dueKey(lease));
  }

  /** Tracks which keys are attached to which lease. */
  follow(events: readonly Event[]): void {
    for (const { type, entry, previous } of events) {
      if (previous?.leaseId !== undefined) this.#keys.get(previous.leaseId)?.delete(entry.key);
      if (type === 'put' && entry.leaseId !== undefined) this.#keys.get(entry.leaseId)?.add(entry.key);
    }
  }

  close(): void {
    this.#timer?.cancel();
    this.#timerAtMs = Infinity;
  }

  #replace(leases: readonly Lease[], leasedKeys: Table['opened']['leasedKeys']): void {
    this.#timer?.cancel();
    this.#timerAtMs = Infinity;
    this.#leases = new Map();
    this.#keys = new Map();
    this.#due = new Tree();
    for (const lease of leases) this.set(lease);
    for (const { id, key } of leasedKeys) this.#keys.get(id)?.add(key);
  }

  /** If the clock was set back while the process was down, no lease becomes longer than granted. */
  #running({ id, ttlSeconds, expiresAtUnixMs }: StoredLease): Lease {
    const leftMs = Math.min(ttlSeconds * 1000, Math.max(0, expiresAtUnixMs - this.#clock.now()));
    return { id, ttlSeconds, expiresAtMs: this.#clock.monotonic() + leftMs };
  }

  #schedule(): void {
    const first = this.#due.firstKey();
    if (first === undefined) return;
    const id = this.#due.get(first)!;
    const atMs = Math.max(this.#leases.get(id)!.expiresAtMs, this.#notBeforeMs);
    if (atMs >= this.#timerAtMs) return;
    this.#timer?.cancel();
    this.#timerAtMs = atMs;
    this.#timer = this.#clock.after(Math.max(0, atMs - this.#clock.monotonic()), () => this.#fire(), {
      idle: true,
    });
  }

  #fire(): void {
    this.#timerAtMs = Infinity;
    const nowMs = this.#clock.monotonic();
    const expired: Lease[] = [];
    for (const id of this.#dueBy(nowMs)) expired.push(this.#leases.get(id)!);
    if (expired.length > 0) this.#onExpired(expired);
    this.#schedule();
  }

  #dueBy(nowMs: number): LeaseId[] {
    const ids: LeaseId[] = [];
    this.#due.scan('', timeKey(nowMs + 1), (id) => void ids.push(id));
    return ids;
  }
}

const dueKey = (lease: Lease): string => `${timeKey(lease.expiresAtMs)}/${lease.id}`;

/** A text that sorts like the number. */
const timeKey = (ms: number): string => String(Math.ceil(ms)).padStart(16, '0');
