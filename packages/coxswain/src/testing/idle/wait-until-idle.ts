/**
 * Determines when a cluster has nothing left to do. A single process can know this: when, for several turns of the
 * event loop, no request begins or ends, nothing is stored, and all queues and watches are empty.
 */

import type { Clock } from '@coxswain/apimachinery';
import { worksInWallTime } from '@coxswain/apimachinery/wall-time.ts';
import type { RecordedRequest, RequestLog } from '../requests/request-log.ts';
import { VirtualClock } from '../virtual-clock.ts';
import type { IdleOptions } from '../../../types/testing.d.ts';

export type { IdleOptions } from '../../../types/testing.d.ts';

export interface IdleParts {
  readonly clock: Clock;
  readonly requests: RequestLog;
  /** The newest resourceVersion of the store. */
  readonly revision: () => number;
  /** When the next request delayed by a fault continues; undefined if none is delayed. */
  readonly delayedUntilMs?: () => number | undefined;
}

/** An event passes from the store through the watch to a handler in fewer turns than these. */
const quietTurns = 4;
/** Most untracked real-time work is done after this many turns; the rest is awaited in pauses. */
const turnsMax = 32;
const quietMsDefault = 1000;
/** With a real clock it is unknown which timers matter, so nothing may happen for this long. */
const quietMsOnTheWall = 60;
const timeoutMsDefault = 10_000;
/** The interval of checks for an answer from outside. */
const lookEveryMs = 1;

/** @throws Error naming the pending requests, if it takes too long */
export async function waitUntilIdle(parts: IdleParts, options: IdleOptions = {}): Promise<void> {
  const deadlineMs = performance.now() + (options.timeoutMs ?? timeoutMsDefault);
  if (!(parts.clock instanceof VirtualClock)) return waitOnTheWall(parts, options, deadlineMs);
  const { clock, requests } = parts;
  const quietMs = options.quietMs ?? quietMsDefault;
  let lastWorkMs = clock.now();
  for (;;) {
    await settled(parts, deadlineMs);
    lastWorkMs = Math.max(lastWorkMs, requests.lastWriteMs);
    if (clock.fireNext(Math.max(lastWorkMs + quietMs, parts.delayedUntilMs?.() ?? 0))) {
      if (performance.now() > deadlineMs) throw tooLong(requests);
      continue;
    }
    if (requests.underWay === 0) return;
    // The request waits for something outside the cluster's time, perhaps a webhook.
    await realPause();
    if (performance.now() > deadlineMs) throw tooLong(requests);
  }
}

/** Runs everything that does not need time to pass. */
export async function settled(parts: Omit<IdleParts, 'clock'>, deadlineMs: number): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < quietTurns; quiet++, turns++) {
    const before = stateOf(parts);
    await (worksInWallTime() > 0 && turns > turnsMax ? realPause() : nextTurn());
    if (before === stateOf(parts) && worksInWallTime() === 0) continue;
    quiet = -1;
    if (performance.now() > deadlineMs) throw tooLong(parts.requests);
  }
}

/** Fires all timers until then, in order, and lets everything settle in between. */
export async function advance(
  clock: VirtualClock,
  parts: Omit<IdleParts, 'clock'>,
  byMs: number,
): Promise<void> {
  const untilMs = clock.now() + byMs;
  await settled(parts, Number.POSITIVE_INFINITY);
  for (;;) {
    const before = stateOf(parts);
    if (!clock.fireNext(untilMs)) break;
    await nextTurn();
    // Most timers only check whether there is something to do.
    if (before !== stateOf(parts) || worksInWallTime() > 0) await settled(parts, Number.POSITIVE_INFINITY);
  }
  clock.moveTo(untilMs);
}

/** Changes whenever anything relevant has happened. */
export const stateOf = ({ requests, revision }: Omit<IdleParts, 'clock'>): string =>
  `${requests.activity} ${revision()}`;

async function waitOnTheWall(parts: IdleParts, options: IdleOptions, deadlineMs: number): Promise<void> {
  const { requests } = parts;
  const quietMs = options.quietMs ?? quietMsOnTheWall;
  let seen = '';
  let quietSinceMs = performance.now();
  while (performance.now() - quietSinceMs < quietMs || requests.underWay > 0) {
    if (performance.now() > deadlineMs) throw tooLong(requests);
    await realPause();
    const now = stateOf(parts);
    if (now !== seen) quietSinceMs = performance.now();
    seen = now;
  }
}

export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export const realPause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, lookEveryMs));

/** The number of requests to name. */
const namedMax = 5;

export function tooLong(requests: RequestLog, what = 'the cluster did not become idle'): Error {
  const recent = requests.list().slice(-namedMax);
  const pending = requests.pending().slice(0, namedMax);
  return new Error(
    `${what}. ${pending.length > 0 ? `Requests in flight: ${lines(pending)}` : `Last requests: ${lines(recent)}`}`,
  );
}

const lines = (requests: readonly RecordedRequest[]): string =>
  requests.map(({ user, method, path, status }) => `\n  ${user}: ${method} ${path} ${status || ''}`).join('');
