/** Which of the times that have passed is to be run now, and when the next one is. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { CronJob } from '../objects.ts';
import type { Schedule } from './schedule.ts';

/** Timers fire a little early; so they are set a little late. */
const slackMs = 100;
/** So many missed times are worth a warning. */
const manyMissed = 100;

export interface Due {
  /** In milliseconds since the epoch; absent when none is due. */
  readonly atMs?: number;
  readonly missedMany: boolean;
}

export function dueTime(cronJob: CronJob, schedule: Schedule, nowMs: number): Due {
  const { atMs, missed } = mostRecent(cronJob, schedule, nowMs, true);
  if (atMs === undefined || atMs > nowMs) return { missedMany: false };
  return { atMs, missedMany: missed > manyMissed };
}

/** From now; undefined when it never comes. */
export function untilNextMs(cronJob: CronJob, schedule: Schedule, nowMs: number): number | undefined {
  const nextMs = schedule.next(lastMs(cronJob, schedule, nowMs));
  return nextMs === undefined ? undefined : Math.max(0, nextMs + slackMs - nowMs);
}

/** The time to count from: the last one there was, or now when that cannot be told. */
function lastMs(cronJob: CronJob, schedule: Schedule, nowMs: number): number {
  try {
    const { atMs, earliestMs, missed } = mostRecent(cronJob, schedule, nowMs, false);
    return atMs ?? (missed === 0 ? earliestMs : nowMs);
  } catch {
    return nowMs;
  }
}

const tooOften = 'time difference between two schedules is less than 1 second';

/** @throws Error for schedules that come more often than once a second, or never */
function mostRecent(
  { metadata, spec, status }: CronJob,
  schedule: Schedule,
  nowMs: number,
  withinDeadline: boolean,
): { readonly earliestMs: number; readonly atMs?: number; readonly missed: number } {
  const since = status?.lastScheduleTime ?? metadata.creationTimestamp;
  let earliestMs = since ? epochMsOf(since) : nowMs;
  const deadlineSeconds = spec?.startingDeadlineSeconds;
  if (withinDeadline && deadlineSeconds !== undefined && deadlineSeconds !== null) {
    earliestMs = Math.max(earliestMs, nowMs - deadlineSeconds * 1000);
  }
  const first = schedule.next(earliestMs);
  // A schedule that never comes counts as one that comes without end, at the beginning of time.
  if (first === undefined) throw new Error(tooOften);
  if (nowMs < first) return { earliestMs, missed: 0 };
  const second = schedule.next(first);
  if (second === undefined || nowMs < second) return { earliestMs, atMs: first, missed: 0 };
  const periodMs = second - first;
  if (periodMs < 1000) throw new Error(tooOften);
  const missed = Math.floor((nowMs - first) / periodMs) + 1;
  // Not all that were missed are walked through: there may be millions.
  let atMs: number | undefined;
  const from = first + (missed - 2) * periodMs;
  for (let at = schedule.next(from); at !== undefined && at <= nowMs; at = schedule.next(at)) atMs = at;
  return { earliestMs, missed, ...(atMs === undefined ? {} : { atMs }) };
}
