/**
 * Long work in slices: some in each turn of the event loop, so that all else goes on in between however many have long
 * work to do. It is divided among those for whom it is done: next is who has had least of the thread.
 */
import type { Clock } from './clock.ts';
import { FairOrder, urgentOwner } from './fair-order.ts';
import { afterwards, atNextTurn, endTurn } from './next-turn.ts';

/** What the slices of a turn may take while nobody else is served. */
const sliceMsMax = 8;
/** The same while several are served: what somebody else's request may have to wait for when it comes. */
const contendedMs = 0.15;
/** Slices get this part at least of what else a turn has taken, so that they go on where others keep the thread busy. */
const partOfTurn = 1 / 8;
/** How long after one was served another one is taken to be still there. */
const contendedForMs = 100;
/** How long after it had something of the thread an owner is one whom others should not be ahead of. */
const awayAfterMs = 20;
/** Who wanted less than the others for a while goes first for no longer than this. */
const creditMsMax = 20;
/** What one slice counts at most: where it took longer, another program had the processor. */
const chargedMsMax = 50;
/** Steps between two looks at the clock, once steps have been seen to be short. */
const stepsPerLookMax = 4;
/** The next look comes later where steps take no longer than this between two of them. */
const shortMs = 0.1;

/** The owner of work that is done for no one in particular. */
export const nobody = 'nobody';

type Ticks = Pick<Clock, 'monotonic'>;

/** Begins, and is over when it returns, or with all that follows from it at once. */
interface Work {
  readonly begin: () => void;
  readonly isAsync: boolean;
}

class Slices {
  readonly #clock: Ticks;
  readonly #waiting = new FairOrder<Work>({ awayAfterMs, creditMax: creditMsMax });
  #isScheduled = false;
  #scheduledMs = 0;
  /** While a slice is under way: whose it is, since when, and until when there may be more in this turn. */
  #owner: string | undefined;
  #sinceMs = 0;
  #untilMs = 0;
  #servedOwner: string | undefined;
  /** Whose work outside of slices is being measured. */
  #metered: string | undefined;
  #meteredSinceMs = 0;
  /** When the first work of this turn outside of slices began. */
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

  /**
   * Whether work of the owner that has come may be done at once: where he has had no more of the thread than others who
   * want it, and the turn has not become long. Where several are served, it counts from now on, until it has come to its
   * end or another one's begins. What is done in a slice goes on within it.
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

  /** Until when work that is being done now may go on. */
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
    // Answers that are ready leave before long work goes on.
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
    // What was answered in a slice leaves before the next one.
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

/** Those of one thread have one clock. */
const byClock = new WeakMap<Ticks, Slices>();

function slicesOf(clock: Ticks): Slices {
  let slices = byClock.get(clock);
  if (slices === undefined) byClock.set(clock, (slices = new Slices(clock)));
  return slices;
}

/** Notes that a request of the owner is served now: while there are several owners, slices are short. */
export const noteServed = (clock: Ticks, owner: string, nowMs: number): void =>
  slicesOf(clock).noteServed(owner, nowMs);

/** Whether several owners are served at the time. */
export const isContended = (clock: Ticks, nowMs: number): boolean => slicesOf(clock).isContended(nowMs);

/**
 * Whether what is short may be done at once; otherwise it is to wait for a slice: where several are served and the owner
 * has had more of the thread than others who want it, and where the turn has become long.
 */
export const mayBegin = (clock: Ticks, owner: string, nowMs: number): boolean =>
  slicesOf(clock).mayBegin(owner, nowMs);

/** Does what is short: at once where it {@link mayBegin}, or in a slice. */
export const inFairTurn = <T>(
  clock: Ticks,
  owner: string,
  nowMs: number,
  work: () => T | Promise<T>,
): T | Promise<T> => (mayBegin(clock, owner, nowMs) ? work() : nextSlice(clock, owner).then(work));

/** Resolves when it is the owner's turn. What is done at once from there on is the slice. */
export const nextSlice = (clock: Ticks, owner: string): Promise<void> =>
  new Promise((resolve) => slicesOf(clock).push(owner, { begin: resolve, isAsync: true }));

/** Calls in a slice of the owner what must not throw. */
export const atNextSlice = (clock: Ticks, owner: string, begin: () => void): void =>
  slicesOf(clock).push(owner, { begin, isAsync: false });

/** Does `step` until it returns true: at once where that {@link mayBegin} and takes no longer than a slice. */
export function inSlices(step: () => boolean, clock: Ticks, owner: string): void | Promise<void> {
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
  return slices.mayBegin(owner, clock.monotonic()) && isDone() ? undefined : later();
}

/** What `make` makes of each item: at once where that takes no longer than a slice. */
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
 * Has `make` begin with each item, in order and no more than `atOnceMax` of them at a time: in each turn of the event
 * loop as many as fit into a slice.
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

/** What one piece of work may take of each turn, however many parts of it are under way. */
class TurnBudget {
  readonly #clock: Ticks;
  /** Undefined in a turn that has not been asked about. */
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
