import { setImmediate as nextTurn } from 'node:timers/promises';

/** Steps of a long walk between two yields. */
const stepsPerTurn = 512;

/** For walks over the whole store: `next` yields to the event loop now and then. */
export function periodicYield(): { next(): Promise<void> | undefined } {
  let steps = 0;
  return { next: () => (++steps % stepsPerTurn === 0 ? nextTurn() : undefined) };
}
