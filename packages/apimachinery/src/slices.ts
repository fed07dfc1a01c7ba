/**
 * Long work in slices: one slice in each turn of the event loop, whoever it belongs to, so that all else goes on in
 * between however many have long work to do.
 */
import type { Clock } from './clock.ts';
import { atNextTurn } from './next-turn.ts';

/** What a slice should take. */
const sliceMs = 8;
/** Steps between two looks at the clock, once steps have been seen to be short. */
const stepsPerLookMax = 4;
/** The next look comes later where steps take no longer than this between two of them. */
const shortMs = 1;

const waiting: (() => void)[] = [];
let isScheduled = false;

/** Resolves when it is the caller's turn: before all others who came later, and alone in its turn of the event loop. */
export const nextSlice = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  atNextTurn(() => {
    isScheduled = false;
    waiting.shift()!();
    schedule();
  });
}

/** Does `step` until it returns true: at once where all of it takes no longer than a slice. */
export function inSlices(step: () => boolean, clock: Pick<Clock, 'monotonic'>): void | Promise<void> {
  let stepsPerLook = 1;
  const isDone = (): boolean => {
    let lookedMs = clock.monotonic();
    const untilMs = lookedMs + sliceMs;
    for (;;) {
      for (let steps = 0; steps < stepsPerLook; steps++) if (step()) return true;
      const nowMs = clock.monotonic();
      stepsPerLook = nowMs - lookedMs <= shortMs ? Math.min(stepsPerLookMax, stepsPerLook * 2) : 1;
      if (nowMs >= untilMs) return false;
      lookedMs = nowMs;
    }
  };
  const later = async (): Promise<void> => {
    do await nextSlice();
    while (!isDone());
  };
  return isDone() ? undefined : later();
}

/** What `make` makes of each item: at once where that takes no longer than a slice. */
export function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T) => R,
  clock: Pick<Clock, 'monotonic'>,
): R[] | Promise<R[]> {
  const made: R[] = [];
  if (items.length === 0) return made;
  const step = (): boolean => made.push(make(items[made.length]!)) === items.length;
  const done = inSlices(step, clock);
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
  clock: Pick<Clock, 'monotonic'>,
): Promise<R[]> {
  const made: R[] = Array.from({ length: items.length });
  const turn = new TurnBudget(clock);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      if (turn.isSpent()) {
        await nextSlice();
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
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Undefined in a turn that has not been asked about. */
  #untilMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  isSpent(): boolean {
    const nowMs = this.#clock.monotonic();
    if (this.#untilMs === undefined) {
      this.#untilMs = nowMs + sliceMs / 2;
      atNextTurn(() => (this.#untilMs = undefined));
    }
    return nowMs >= this.#untilMs;
  }
}
