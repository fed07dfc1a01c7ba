/**
 * Who is next among many owners of work: the one who has had least of what is shared. What each has had is told
 * afterwards, in whatever unit the share is measured in. Who comes anew is taken to have had as much as whoever of those
 * present had least, and nobody is further behind the first than a bound, so that nobody saves up for later.
 */

/** Work for it goes before that of all others. */
export const urgentOwner = '';

interface Owned<T> {
  had: number;
  /** When it was last given something. */
  seenMs: number;
  waiting: T[];
}

export interface FairOrderBounds {
  /** How long after it had something an owner is still taken to be there; what it had is forgotten then. */
  readonly awayAfterMs: number;
  /** By how much an owner may be behind the one who has had most, in the unit of the share. */
  readonly creditMax: number;
}

export class FairOrder<T> {
  readonly #bounds: FairOrderBounds;
  readonly #owners = new Map<string, Owned<T>>();
  #mostHad = 0;
  #waiting = 0;

  constructor(bounds: FairOrderBounds) {
    this.#bounds = bounds;
  }

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  push(owner: string, work: T, nowMs: number): void {
    this.#of(owner, nowMs).waiting.push(work);
    this.#waiting++;
  }

  /** Takes out what is next; of one owner, what came first. */
  shift(): { readonly owner: string; readonly work: T } | undefined {
    const owner = this.#next();
    if (owner === undefined) return undefined;
    this.#waiting--;
    return { owner, work: this.#owners.get(owner)!.waiting.shift()! };
  }

  /** Whether the owner has had more than another one who is there, by more than `leeway`. */
  isAhead(owner: string, leeway: number, nowMs: number): boolean {
    const had = this.#owners.get(owner)?.had;
    return had !== undefined && had > this.#leastHad(nowMs) + leeway;
  }

  /** Notes what an owner has had. */
  charge(owner: string, amount: number, nowMs: number): void {
    const owned = this.#of(owner, nowMs);
    owned.had += amount;
    owned.seenMs = nowMs;
    if (owner !== urgentOwner && owned.had > this.#mostHad) this.#mostHad = owned.had;
  }

  #of(owner: string, nowMs: number): Owned<T> {
    const known = this.#owners.get(owner);
    if (known !== undefined && this.#isThere(known, nowMs)) {
      known.had = Math.max(known.had, this.#mostHad - this.#bounds.creditMax);
      return known;
    }
    if (this.#owners.size >= ownersMax) this.#forget();
    const owned: Owned<T> = { had: this.#leastHad(nowMs), seenMs: nowMs, waiting: [] };
    this.#owners.set(owner, owned);
    return owned;
  }

  #isThere({ waiting, seenMs }: Owned<T>, nowMs: number): boolean {
    return waiting.length > 0 || nowMs - seenMs < this.#bounds.awayAfterMs;
  }

  /** What the one had who has had least of those who are there. */
  #leastHad(nowMs: number): number {
    let least = this.#mostHad;
    for (const [owner, owned] of this.#owners) {
      if (!this.#isThere(owned, nowMs)) this.#owners.delete(owner);
      else if (owned.had < least && owner !== urgentOwner) least = owned.had;
    }
    return Math.max(least, this.#mostHad - this.#bounds.creditMax);
  }

  #next(): string | undefined {
    if (this.#waiting === 0) return undefined;
    let found: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [owner, { had, waiting }] of this.#owners) {
      if (waiting.length === 0) continue;
      if (owner === urgentOwner) return owner;
      if (had >= least) continue;
      found = owner;
      least = had;
    }
    return found;
  }

  #forget(): void {
    for (const [owner, { waiting }] of this.#owners) if (waiting.length === 0) this.#owners.delete(owner);
  }
}

/** When there are more, what those have had who have nothing waiting is forgotten. */
const ownersMax = 256;
