import { setImmediate as nextTurn } from 'node:timers/promises';

/** Steps of a long walk that are taken before others get their turn. */
const stepsPerTurn = 512;

/** For walks over the whole store: `next` now and then lets everything else go on. */
export function periodicYield(): { next(): Promise<void> | undefined } {
  let steps = 0;
  return { next: () => (++steps % stepsPerTurn === 0 ? nextTurn() : undefined) };
}
