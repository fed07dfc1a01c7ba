/** What takes time of a cluster whose time stands still: it passes while somebody waits, and no longer. */

import { VirtualClock } from '../virtual-clock.ts';
import { nextTurn, realPause, settled, stateOf, tooLong, type IdleParts } from './wait-until-idle.ts';

/** So many turns in which nothing happens, and only time can help. */
const quietTurns = 4;
/** Timers that are due so soon fire at once. */
const stepMs = 1000;
/** Then the machine may have something to do that nobody sees: a file that is read, a key that is made. */
const pausesAtStart = 2000;
/** There is no such thing in a cluster that runs, unless a request is under way to somebody outside. */
const pausesInside = 20;
/** Whoever is not ready by then will never be: in the cluster's time, and in pauses. */
const limitMsDefault = 10 * 60_000;
const pausesMax = 20_000;

/**
 * Time passes until `work` is done.
 * @throws Error that tells what was asked last, after ten minutes of the cluster's
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
 * Time passes until somebody in the cluster has answered, whenever nothing else is left to do.
 * @throws Error after ten minutes of the cluster's without an answer
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
  /** When the next of those that a fault holds back goes on; undefined when there is none. */
  readonly delayedUntilMs: () => number | undefined;
  /** Whether somebody moves time as he likes. */
  readonly isMoved: () => boolean;
}

/** Whoever waits for an answer that a fault holds back, and does nothing else, gets it when its time has passed. */
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

/** How many move time at the moment. */
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
