/** Determines which of the past scheduled times to run now, and when the next one is. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { CronJob } from '../objects.ts';
import type { Schedule } from './schedule.ts';

/** Timers may fire a little early, so they are set a little late. */
const slackMs = 100;
/** This number of missed times causes a warning. */
const manyMissed = 100;

export interface Due {
  /** In milliseconds since the epoch; undefined if none is due. */
  readonly atMs?: number;
  readonly missedMany: boolean;
}

export function dueTime(cronJob: CronJob, schedule: Schedule, nowMs: number): Due {
  const { atMs, missed } = mostRecent(cronJob, schedule, nowMs, true);
  if (atMs === undefined || atMs > nowMs) return { missedMany: false };
  return { atMs, missedMany: missed > manyMissed };
}

/** The time from now; undefined if there is none. */
export function untilNextMs(cronJob: CronJob, schedule: Schedule, nowMs: number): number | undefined {
  const nextMs = schedule.next(lastMs(cronJob, schedule, nowMs));
  return nextMs === undefined ? undefined : Math.max(0, nextMs + slackMs - nowMs);
}

/** The time to count from: the last scheduled time, or now if that is unknown. */
function lastMs(cronJob: CronJob, schedule: Schedule, nowMs: number): number {
  try {
    const { atMs, earliestMs, missed } = mostRecent(cronJob, schedule, nowMs, false);
    return atMs ?? (missed === 0 ? earliestMs : nowMs);
  } catch {
    return nowMs;
  }
}

const tooOften = 'time difference between two schedules is less than 1 second';

/** @throws Error for a schedule with times less than a second apart, or without any */
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
  // As upstream, a schedule without any times is reported as too frequent.
  if (first === undefined) throw new Error(tooOften);
  if (nowMs < first) return { earliestMs, missed: 0 };
  const second = schedule.next(first);
  if (second === undefined) throw new Error(tooOften);
  if (nowMs < second) return { earliestMs, atMs: first, missed: 0 };
  const periodMs = second - first;
  if (periodMs < 1000) throw new Error(tooOften);
  const missed = Math.floor((nowMs - first) / periodMs) + 1;
  // Skips most of the missed times, since there may be millions.
  let atMs: number | undefined;
  const from = first + (missed - 2) * periodMs;
  for (let at = schedule.next(from); at !== undefined && at <= nowMs; at = schedule.next(at)) atMs = at;
  return { earliestMs, missed, ...(atMs === undefined ? {} : { atMs }) };
}
