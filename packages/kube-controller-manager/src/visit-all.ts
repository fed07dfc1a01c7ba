import type { Clock } from '@coxswain/apimachinery';
import { inSlices, nobody } from '@coxswain/apimachinery/slices.ts';

/**
 * Visits all objects of a kind in order, a few per event loop turn, so that even a large number doesn't block the
 * process. A visit that has to wait returns a promise, which is awaited before the next one.
 */
export async function visitAll<T>(
  objects: readonly T[],
  visit: (object: T) => Promise<unknown> | undefined | void,
  clock: Pick<Clock, 'monotonic'>,
): Promise<void> {
  let next = 0;
  let awaited: Promise<unknown> | undefined;
  const step = (): boolean => {
    awaited = visit(objects[next++]!) ?? undefined;
    return awaited !== undefined || next === objects.length;
  };
  while (next < objects.length) {
    awaited = undefined;
    const visits = inSlices(step, clock, nobody);
    if (visits !== undefined) await visits;
    if (awaited !== undefined) await awaited;
  }
}
