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

/** Has `make` begin with each item, no more than `atOnceMax` of them at a time. */
export async function mapAsyncInSlices<T, R>(
  items: readonly T[],
  make: (item: T) => Promise<R> | R,
  atOnceMax: number,
  clock: Pick<Clock, 'monotonic'>,
): Promise<R[]> {
  const made: R[] = Array.from({ length: items.length });
  let next = 0;
  const work = async (): Promise<void> => {
    let untilMs = clock.monotonic() + sliceMs / 2;
    while (next < items.length) {
      const at = next++;
      made[at] = await make(items[at]!);
      if (clock.monotonic() < untilMs) continue;
      await nextSlice();
      untilMs = clock.monotonic() + sliceMs / 2;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, work));
  return made;
}
