/**
 * When a cluster has done all that it has to do. In one process that can be known: when several turns of the event
 * loop pass in which no request begins or ends and nothing is stored, no queue has a key and no watch an event left.
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
  /** When the next request that a fault holds back goes on; undefined when there is none. */
  readonly delayedUntilMs?: () => number | undefined;
}

/** An event passes from the store over the watch to a handler in fewer turns than these. */
const quietTurns = 4;
/** Most work on the wall is done after so many turns; what isn't is waited for in pauses. */
const turnsMax = 32;
const quietMsDefault = 1000;
/** With clocks on the wall nobody knows which timer matters: nothing must happen for so long. */
const quietMsOnTheWall = 60;
const timeoutMsDefault = 10_000;
/** How often somebody looks whether an answer from outside has come. */
const lookEveryMs = 1;

/** @throws Error that tells what is still under way, when it takes too long */
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
    // Somebody outside of the cluster's time, a webhook perhaps, has it in hand.
    await realPause();
    if (performance.now() > deadlineMs) throw tooLong(requests);
  }
}

/** Lets everything run that needs no time to pass. */
export async function settled(parts: Omit<IdleParts, 'clock'>, deadlineMs: number): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < quietTurns; quiet++, turns++) {
    const before = stateOf(parts);
    await (worksInWallTime() > 0 && turns > turnsMax ? realPause() : nextTurn());
    if (before === stateOf(parts) && worksInWallTime() === 0) continue;
    quiet = -1;
    if (performance.now() > deadlineMs) throw tooLong(parts.requests);
  }
}

/** Fires all timers until then, in order, and lets everything run between two of them. */
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
    // Most timers only look whether there is something to do.
    if (before !== stateOf(parts) || worksInWallTime() > 0) await settled(parts, Number.POSITIVE_INFINITY);
  }
  clock.moveTo(untilMs);
}

/** Another one after anything that matters has happened. */
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

/** So many requests are named. */
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
