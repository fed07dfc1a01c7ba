/**
 * Who is next among many owners of work: the one who has had least of what is shared. What each has had is told
 * afterwards, in whatever unit the share is measured in. Who comes anew is taken to have had as much as whoever had
 * least, so that nobody saves up for later.
 */

/** Work for it goes before that of all others. */
export const urgentOwner = '';

interface Owned<T> {
  had: number;
  waiting: T[];
}

export class FairOrder<T> {
  readonly #owners = new Map<string, Owned<T>>();
  /** What the one had who was next last: nobody who waits had less. */
  #leastHad = 0;
  #waiting = 0;

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  push(owner: string, work: T): void {
    const owned = this.#of(owner);
    if (owned.waiting.length === 0) owned.had = Math.max(owned.had, this.#leastHad);
    owned.waiting.push(work);
    this.#waiting++;
  }

  /** Takes out what is next; of one owner, what came first. */
  shift(): { readonly owner: string; readonly work: T } | undefined {
    const owner = this.#next();
    if (owner === undefined) return undefined;
    const { had, waiting } = this.#owners.get(owner)!;
    if (owner !== urgentOwner) this.#leastHad = Math.max(this.#leastHad, had);
    this.#waiting--;
    return { owner, work: waiting.shift()! };
  }

  /** Whether the owner has had more than whoever was next last, by more than `leeway`. */
  isAhead(owner: string, leeway: number): boolean {
    const had = this.#owners.get(owner)?.had;
    return had !== undefined && had > this.#leastHad + leeway;
  }

  /** Nobody waits: from here on, nobody has had more than others. */
  settle(): void {
    for (const { had } of this.#owners.values()) this.#leastHad = Math.max(this.#leastHad, had);
  }

  /** Notes what an owner has had. */
  charge(owner: string, amount: number): void {
    const owned = this.#of(owner);
    owned.had = Math.max(owned.had, this.#leastHad) + amount;
  }

  #of(owner: string): Owned<T> {
    const known = this.#owners.get(owner);
    if (known !== undefined) return known;
    if (this.#owners.size >= ownersMax) this.#forget();
    const owned: Owned<T> = { had: this.#leastHad, waiting: [] };
    this.#owners.set(owner, owned);
    return owned;
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
