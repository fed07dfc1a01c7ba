/**
 * Long work in slices: one slice in each turn of the event loop, whoever it belongs to, so that all else goes on in
 * between however many have long work to do.
 */
import type { Clock } from './clock.ts';
import { atNextTurn } from './next-turn.ts';

/** What a slice should take. */
const sliceMs = 8;
/** Items between two looks at the clock. */
const itemsPerLook = 16;

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

/** What `make` makes of each item: at once where that takes no longer than a slice. */
export function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T) => R,
  clock: Pick<Clock, 'monotonic'>,
): R[] | Promise<R[]> {
  const made: R[] = [];
  const isDone = (): boolean => {
    const untilMs = clock.monotonic() + sliceMs;
    while (made.length < items.length) {
      made.push(make(items[made.length]!));
      if (made.length % itemsPerLook === 0 && clock.monotonic() >= untilMs)
        return made.length === items.length;
    }
    return true;
  };
  const inSlices = async (): Promise<R[]> => {
    do await nextSlice();
    while (!isDone());
    return made;
  };
  return isDone() ? made : inSlices();
}
