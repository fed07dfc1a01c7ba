/**
 * Divides long work into slices: some in each turn of the event loop, so that everything else continues in between
 * however many have long work. The thread is divided among the owners of the work: the one that has used least of it is
 * next.
 */
import type { Clock } from './clock.ts';
import { FairOrder, urgentOwner } from './fair-order.ts';
import { afterwards, atNextTurn, endTurn } from './next-turn.ts';
import type { Steps } from './work-in-steps.ts';

/** The time for slices per turn while nobody else is served. */
const sliceMsMax = 8;
/** The same while several owners are served: how long another owner's request may have to wait on arrival. */
const contendedMs = 0.15;
/**
 * Slices get at least this fraction of the time that other work of a turn has taken, so that they make progress while
 * others keep the thread busy.
 */
const partOfTurn = 1 / 8;
/** How long after being served an owner counts as still present. */
const contendedForMs = 100;
/** How long after using the thread an owner still counts when others are compared with it. */
const awayAfterMs = 20;
/** An owner that has used less for a while gets priority for at most this time. */
const creditMsMax = 20;
/** The maximum time charged for one slice: if it took longer, another program had the processor. */
const chargedMsMax = 50;
/** The number of steps between two reads of the clock, once steps have proven to be short. */
const stepsPerLookMax = 4;
/** The interval grows when the steps in it take no longer than this. */
const shortMs = 0.1;

/** An owner with more waiting work than this crowds others out. */
const waitingMax = 1;

/** The owner of work that is not done for anyone in particular. */
export const nobody = 'nobody';

type Ticks = Pick<Clock, 'monotonic'>;

/** Work that is over when `begin` returns, or with its immediate consequences. */
interface Work {
  readonly begin: () => void;
  readonly isAsync: boolean;
}

class Slices {
  readonly #clock: Ticks;
  readonly #waiting = new FairOrder<Work>({ awayAfterMs, creditMax: creditMsMax });
  #isScheduled = false;
  #scheduledMs = 0;
  /** During a slice: its owner, its start, and the time until which this turn may run more. */
  #owner: string | undefined;
  #sinceMs = 0;
  #untilMs = 0;
  #servedOwner: string | undefined;
  /** The owner of work outside slices that is being measured. */
  #metered: string | undefined;
  #meteredSinceMs = 0;
  /** When the first work of this turn outside slices began. */
  #turnBeganMs: number | undefined;
  #contendedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Ticks) {
    this.#clock = clock;
  }

  noteServed(owner: string, nowMs: number): void {
    if (owner === this.#servedOwner) return;
    if (this.#servedOwner !== undefined) this.#contendedUntilMs = nowMs + contendedForMs;
    this.#servedOwner = owner;
  }

  isContended(nowMs: number): boolean {
    return nowMs < this.#contendedUntilMs;
  }

  isCrowding(owner: string, nowMs: number): boolean {
    return owner !== urgentOwner && this.isContended(nowMs) && this.#waiting.waitingOf(owner) > waitingMax;
  }

  /**
   * Whether the owner's new work may run immediately: if the owner has used no more of the thread than others who want
   * it, and the turn has not become long. If several owners are served, the time is charged from now on, until the work
   * ends or another owner's begins. Work inside a slice continues in it.
   */
  mayBegin(owner: string, nowMs: number): boolean {
    if (this.#owner !== undefined) return true;
    this.#readMeter(nowMs);
    this.#metered = undefined;
    if (owner === urgentOwner) return true;
    if (this.#turnBeganMs === undefined) {
      this.#turnBeganMs = nowMs;
      atNextTurn(this.#closeTurn);
    } else if (nowMs - this.#turnBeganMs > sliceMsMax) return false;
    if (!this.isContended(nowMs)) return true;
    if (this.#waiting.isAhead(owner, contendedMs, nowMs)) return false;
    afterwards(this.#endMeter);
    this.#metered = owner;
    this.#meteredSinceMs = nowMs;
    return true;
  }

  readonly #closeTurn = (): void => {
    this.#turnBeganMs = undefined;
  };

  readonly #endMeter = (): void => {
    this.#readMeter(this.#clock.monotonic());
    this.#metered = undefined;
  };

  #readMeter(nowMs: number): void {
    if (this.#metered === undefined || nowMs <= this.#meteredSinceMs) return;
    this.#waiting.charge(this.#metered, Math.min(nowMs - this.#meteredSinceMs, chargedMsMax), nowMs);
    this.#meteredSinceMs = nowMs;
  }

  push(owner: string, work: Work): void {
    this.#waiting.push(owner, work, this.#clock.monotonic());
    this.#schedule();
  }

  /** Whether the current slice has lasted long enough: only short work that is part of it continues in it. */
  isSpent(nowMs: number): boolean {
    return this.#owner !== undefined && nowMs >= this.#untilMs;
  }

  /** Until when the current work may continue. */
  endOfSlice(nowMs: number): number {
    if (this.#owner !== undefined) return this.#untilMs;
    return nowMs + (this.isContended(nowMs) ? contendedMs : sliceMsMax);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#owner !== undefined || this.#waiting.isEmpty) return;
    this.#isScheduled = true;
    this.#scheduledMs = this.#clock.monotonic();
    atNextTurn(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#isScheduled = false;
    // Ready responses are sent before long work continues.
    endTurn();
    const nowMs = this.#clock.monotonic();
    const partMs = Math.min(sliceMsMax, (nowMs - this.#scheduledMs) * partOfTurn);
    this.#untilMs = Math.max(this.endOfSlice(nowMs), nowMs + partMs);
    this.#goOn(nowMs);
  };

  #goOn(sinceMs: number): void {
    let nowMs = sinceMs;
    do {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#owner = next.owner;
      this.#sinceMs = nowMs;
      if (next.work.isAsync) {
        next.work.begin();
        return afterwards(this.#afterOne);
      }
      try {
        next.work.begin();
      } finally {
        nowMs = this.#over();
      }
    } while (nowMs < this.#untilMs);
    this.#schedule();
  }

  readonly #afterOne = (): void => {
    const nowMs = this.#over();
    // Responses produced in a slice are sent before the next one.
    endTurn();
    if (nowMs < this.#untilMs) this.#goOn(nowMs);
    else this.#schedule();
  };

  #over(): number {
    const nowMs = this.#clock.monotonic();
    this.#waiting.charge(this.#owner!, Math.min(nowMs - this.#sinceMs, chargedMsMax), nowMs);
    this.#owner = undefined;
    return nowMs;
  }
}

/** All slices of a thread use the same clock, or one derived from it. */
const byClock = new WeakMap<Ticks, Slices>();

/** Lets work that uses a derived clock take turns with that of the original one. */
export const sliceWith = (derived: Ticks, original: Ticks): void =>
  void byClock.set(derived, slicesOf(original));

function slicesOf(clock: Ticks): Slices {
  let slices = byClock.get(clock);
  if (slices === undefined) byClock.set(clock, (slices = new Slices(clock)));
  return slices;
}

/** Records that a request of the owner is being served: while there are several owners, slices are short. */
export const noteServed = (clock: Ticks, owner: string, nowMs: number): void =>
  slicesOf(clock).noteServed(owner, nowMs);

/** Whether several owners are currently served. */
export const isContended = (clock: Ticks, nowMs: number): boolean => slicesOf(clock).isContended(nowMs);

/** Whether several owners are currently served, and much work of this one waits. */
export const isCrowding = (clock: Ticks, owner: string, nowMs: number): boolean =>
  slicesOf(clock).isCrowding(owner, nowMs);

/**
 * Whether short work may run immediately; otherwise it must wait for a slice: if several owners are served and this one
 * has used more of the thread than others who want it, or the turn has become long.
 */
export const mayBegin = (clock: Ticks, owner: string, nowMs: number): boolean =>
  slicesOf(clock).mayBegin(owner, nowMs);

/** Runs short work: immediately if it {@link mayBegin}, otherwise in a slice. */
export const inFairTurn = <T>(
  clock: Ticks,
  owner: string,
  nowMs: number,
  work: () => T | Promise<T>,
): T | Promise<T> => (mayBegin(clock, owner, nowMs) ? work() : nextSlice(clock, owner).then(work));

/** Resolves when it is the owner's turn. Whatever runs synchronously from there on is the slice. */
export const nextSlice = (clock: Ticks, owner: string): Promise<void> =>
  new Promise((resolve) => slicesOf(clock).push(owner, { begin: resolve, isAsync: true }));

/** Calls a function, which must not throw, in a slice of the owner. */
export const atNextSlice = (clock: Ticks, owner: string, begin: () => void): void =>
  slicesOf(clock).push(owner, { begin, isAsync: false });

/**
 * Repeats `step` until it returns true: immediately if it {@link mayBegin} and takes no longer than a slice.
 * @param isChained whether one such work leads to the next: in a slice that is over it then waits for another one,
 *   since that slice would not end otherwise
 */
export function inSlices(
  step: () => boolean,
  clock: Ticks,
  owner: string,
  isChained = false,
): void | Promise<void> {
  const slices = slicesOf(clock);
  let stepsPerLook = 1;
  const isDone = (): boolean => {
    let lookedMs = clock.monotonic();
    const untilMs = slices.endOfSlice(lookedMs);
    for (;;) {
      for (let steps = 0; steps < stepsPerLook; steps++) if (step()) return true;
      const nowMs = clock.monotonic();
      stepsPerLook = nowMs - lookedMs <= shortMs ? Math.min(stepsPerLookMax, stepsPerLook * 2) : 1;
      if (nowMs >= untilMs) return false;
      lookedMs = nowMs;
    }
  };
  const later = async (): Promise<void> => {
    do await nextSlice(clock, owner);
    while (!isDone());
  };
  const nowMs = clock.monotonic();
  const waits = isChained && slices.isSpent(nowMs);
  return !waits && slices.mayBegin(owner, nowMs) && isDone() ? undefined : later();
}

/** Takes all steps, likewise. Rejects with what they throw. */
export async function stepsInSlices<T>(steps: Steps<T>, clock: Ticks, owner: string): Promise<T> {
  let last: IteratorResult<void, T>;
  const step = (): boolean => (last = steps.next()).done === true;
  await inSlices(step, clock, owner);
  return last!.value as T;
}

/** Maps each item with `make`: immediately if that takes no longer than a slice. */
export function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T) => R,
  clock: Ticks,
  owner: string,
): R[] | Promise<R[]> {
  const made: R[] = [];
  if (items.length === 0) return made;
  const step = (): boolean => made.push(make(items[made.length]!)) === items.length;
  const done = inSlices(step, clock, owner);
  return done instanceof Promise ? done.then(() => made) : made;
}

/**
 * Calls `make` for each item in order, with at most `atOnceMax` of them pending: in each event-loop turn as many as fit
 * into a slice.
 */
export async function mapAsyncInSlices<T, R>(
  items: readonly T[],
  make: (item: T) => Promise<R> | R,
  atOnceMax: number,
  clock: Ticks,
  owner: string,
): Promise<R[]> {
  const made: R[] = Array.from({ length: items.length });
  const turn = new TurnBudget(clock);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      if (turn.isSpent()) {
        await nextSlice(clock, owner);
        continue;
      }
      const at = next++;
      made[at] = await make(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, work));
  return made;
}

/** The time that a piece of work may take of each turn, however many parts of it are in progress. */
class TurnBudget {
  readonly #clock: Ticks;
  /** Undefined in a turn in which it was not checked. */
  #untilMs: number | undefined;

  constructor(clock: Ticks) {
    this.#clock = clock;
  }

  isSpent(): boolean {
    const nowMs = this.#clock.monotonic();
    if (this.#untilMs === undefined) {
      this.#untilMs = slicesOf(this.#clock).endOfSlice(nowMs);
      atNextTurn(() => (this.#untilMs = undefined));
    }
    return nowMs >= this.#untilMs;
  }
}
