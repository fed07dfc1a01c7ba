/** Advances a cluster's stopped clock for operations that take time, only while a caller waits for them. */

import { VirtualClock } from '../virtual-clock.ts';
import { nextTurn, realPause, settled, stateOf, tooLong, type IdleParts } from './wait-until-idle.ts';

/** After this many turns without activity, only the passing of time can help. */
const quietTurns = 4;
/** Timers that are due within this time fire at once. */
const stepMs = 1000;
/** During a start, the machine may do work that is not tracked, such as reading a file or generating a key. */
const pausesAtStart = 2000;
/** A running cluster has no such work, unless a request to the outside is pending. */
const pausesInside = 20;
/** The limits after which an operation is considered stuck: in the cluster's time, and in pauses. */
const limitMsDefault = 10 * 60_000;
const pausesMax = 20_000;

/**
 * Lets time pass until `work` is done.
 * @throws Error naming the last requests, after ten minutes of the cluster's time
 */
export async function whileTimePasses<T>(
  work: Promise<T>,
  parts: IdleParts,
  { what, isStart = false }: { readonly what: string; readonly isStart?: boolean },
): Promise<T> {
  const { clock, requests } = parts;
  if (!(clock instanceof VirtualClock)) return work;
  const limitMs = clock.now() + limitMsDefault;
  let pauses = 0;
  const mustWait = () => pauses < (isStart || isOutside() ? pausesAtStart : pausesInside);
  const isOutside = () => requests.underWay > 0 && parts.delayedUntilMs?.() === undefined;
  return whileQuiet(work, parts, async () => {
    const untilMs = mustWait() ? Math.min(limitMs, clock.now() + stepMs) : limitMs;
    if (clock.fireNext(untilMs)) {
      pauses = 0;
    } else {
      if (pauses++ >= pausesMax) throw tooLong(requests, `${what} takes too long`);
      await realPause();
    }
  });
}

/**
 * Lets time pass until the cluster has answered, whenever nothing else is left to do.
 * @throws Error after ten minutes of the cluster's time without an answer
 */
export async function whileAnswering<T>(
  answer: Promise<T>,
  parts: IdleParts & { readonly movers: ActiveAdvances },
): Promise<T> {
  const { clock, movers } = parts;
  if (!(clock instanceof VirtualClock)) return answer;
  let isDone = false;
  const done = () => void (isDone = true);
  answer.then(done, done);
  const limitMs = clock.now() + limitMsDefault;
  while (!isDone) {
    await settled(parts, Number.POSITIVE_INFINITY);
    if (isDone || movers.any) continue;
    if (!clock.fireNext(limitMs)) throw new Error("no answer within ten minutes of the cluster's time");
  }
  return answer;
}

export interface DelayedAnswers extends IdleParts {
  /** When the next request delayed by a fault continues; undefined if none is delayed. */
  readonly delayedUntilMs: () => number | undefined;
  /** Whether the clock is currently being advanced explicitly. */
  readonly isMoved: () => boolean;
}

/** Waits for an answer that a fault may delay; time passes so that a caller that does nothing else receives it. */
export async function whileHeldBack<T>(answer: Promise<T>, parts: DelayedAnswers): Promise<T> {
  const { clock } = parts;
  if (!(clock instanceof VirtualClock)) return answer;
  return whileQuiet(answer, parts, async () => {
    const untilMs = parts.delayedUntilMs();
    if (untilMs === undefined || parts.isMoved() || !clock.fireNext(untilMs)) await realPause();
  });
}

/** Calls `help` whenever nothing has happened for some turns, until `work` is done. */
async function whileQuiet<T>(
  work: Promise<T>,
  parts: Omit<IdleParts, 'clock'>,
  help: () => Promise<void>,
): Promise<T> {
  let isDone = false;
  const done = () => void (isDone = true);
  work.then(done, done);
  for (let quiet = 0; !isDone;) {
    const before = stateOf(parts);
    await nextTurn();
    quiet = before === stateOf(parts) ? quiet + 1 : 0;
    if (quiet < quietTurns || isDone) continue;
    await help();
    quiet = 0;
  }
  return work;
}

/** Counts the explicit advances of the clock in progress. */
export class ActiveAdvances {
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  async during<T>(move: () => Promise<T>): Promise<T> {
    this.#count++;
    try {
      return await move();
    } finally {
      this.#count--;
    }
  }
}
