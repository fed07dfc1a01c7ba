/**
 * Orders work fairly among many owners: the owner that has used least of a shared resource is next. Usage is reported
 * afterwards, in the resource's unit. A new owner starts with the least usage of those present, and nobody may be
 * further behind the first than a limit, so that credit cannot be saved up.
 */

/** Its work goes before that of all others. */
export const urgentOwner = '';

interface Owned<T> {
  had: number;
  /** The time of its last turn. */
  seenMs: number;
  waiting: T[];
}

export interface FairOrderBounds {
  /** How long after its last turn an owner still counts as present; its usage is then forgotten. */
  readonly awayAfterMs: number;
  /** The maximum amount by which an owner may be behind the one with the most usage, in the resource's unit. */
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

  /** Takes the next work; work of one owner is in order of arrival. */
  shift(): { readonly owner: string; readonly work: T } | undefined {
    const owner = this.#next();
    if (owner === undefined) return undefined;
    this.#waiting--;
    return { owner, work: this.#owners.get(owner)!.waiting.shift()! };
  }

  /** Whether the owner has used more than another owner who is present, by more than `leeway`. */
  isAhead(owner: string, leeway: number, nowMs: number): boolean {
    const had = this.#owners.get(owner)?.had;
    return had !== undefined && had > this.#leastHad(nowMs) + leeway;
  }

  waitingOf(owner: string): number {
    return this.#owners.get(owner)?.waiting.length ?? 0;
  }

  /** Records an owner's usage. */
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

  /** The smallest usage of all owners who are present. */
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

/** Beyond this number, the usage of owners without waiting work is forgotten. */
const ownersMax = 256;
