/** Finds the times of a cron schedule, as robfig/cron does, with its behaviour when clocks change. */

import { parseCronSchedule, type CronFields } from '@coxswain/api/batch/v1/cron-schedule.ts';
import { wallClock, type WallClock } from './wall-clock.ts';

export interface Schedule {
  /**
   * Returns the first time after `afterMs`, in milliseconds since the epoch; undefined if there is none within five
   * years.
   */
  next(afterMs: number): number | undefined;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const yearsMax = 5;

/**
 * `parseSchedule('TZ=Europe/Berlin 0 12 * * *').next(0)`
 *
 * @throws Error with upstream's message
 */
export function parseSchedule(text: string): Schedule {
  const schedule = parseCronSchedule(text);
  if (schedule.kind === 'every') {
    return { next: (afterMs) => Math.floor(afterMs / secondMs) * secondMs + schedule.periodMs };
  }
  const { fields, zone } = schedule;
  const clock = wallClock(zone);
  // Upstream tries every minute of five years if one of these never matches.
  if (fields.minute.values.size === 0 || fields.hour.values.size === 0) return { next: () => undefined };
  return { next: (afterMs) => new Search(fields, clock, afterMs).run() };
}

/**
 * The search of robfig/cron: each field advances until it matches, and starts over from the month if it wraps. Hours
 * and minutes advance in absolute time, so hours skipped by daylight saving do not come, and repeated ones come twice;
 * months and days advance on the wall clock. A day without midnight does not start over, so that its hours may be
 * taken for those of the day before.
 */
class Search {
  readonly #fields: CronFields;
  readonly #clock: WallClock;
  #atMs: number;
  /** Whether a field has advanced, so that the smaller ones are at their beginning. */
  #advanced = false;

  constructor(fields: CronFields, clock: WallClock, afterMs: number) {
    this.#fields = fields;
    this.#clock = clock;
    this.#atMs = Math.floor(afterMs / secondMs) * secondMs + secondMs;
  }

  run(): number | undefined {
    const yearMax = this.#wall.year + yearsMax;
    while (this.#wall.year <= yearMax) {
      if (this.#month() && this.#day() && this.#hour() && this.#minute() && this.#second()) return this.#atMs;
    }
    return undefined;
  }

  get #wall(): ReturnType<WallClock> {
    return this.#clock(this.#atMs);
  }

  /** Each returns whether its field matches; otherwise it has wrapped, and the search starts over. */
  #month(): boolean {
    while (!this.#fields.month.values.has(this.#wall.month)) {
      const { year, month } = this.#wall;
      if (this.#starts()) this.#atMs = this.#dateMs(year, month, 1, 0, 0);
      const now = this.#wall;
      this.#atMs = this.#dateMs(now.year, now.month + 1, now.day, now.hour, now.minute);
      if (this.#wall.month === 1) return false;
    }
    return true;
  }

  #day(): boolean {
    while (!this.#dayMatches()) {
      const { year, month, day } = this.#wall;
      if (this.#starts()) this.#atMs = this.#dateMs(year, month, day, 0, 0);
      const now = this.#wall;
      this.#atMs = this.#dateMs(now.year, now.month, now.day + 1, now.hour, now.minute);
      const { hour } = this.#wall;
      if (hour > 12) this.#atMs += (24 - hour) * hourMs;
      else this.#atMs -= hour * hourMs;
      if (this.#wall.day === 1) return false;
    }
    return true;
  }

  /** If both day fields are restricted, matching either is enough. */
  #dayMatches(): boolean {
    const { day, weekday } = this.#fields;
    const wall = this.#wall;
    const byDay = day.values.has(wall.day);
    const byWeekday = weekday.values.has(wall.weekday);
    return day.any || weekday.any ? byDay && byWeekday : byDay || byWeekday;
  }

  #hour(): boolean {
    while (!this.#fields.hour.values.has(this.#wall.hour)) {
      const { year, month, day, hour } = this.#wall;
      if (this.#starts()) this.#atMs = this.#dateMs(year, month, day, hour, 0);
      this.#atMs += hourMs;
      if (this.#wall.hour === 0) return false;
    }
    return true;
  }

  #minute(): boolean {
    while (!this.#fields.minute.values.has(this.#wall.minute)) {
      if (this.#starts()) this.#atMs = Math.floor(this.#atMs / minuteMs) * minuteMs;
      this.#atMs += minuteMs;
      if (this.#wall.minute === 0) return false;
    }
    return true;
  }

  #second(): boolean {
    if (this.#atMs % minuteMs === 0) return true;
    this.#advanced = true;
    this.#atMs = Math.floor(this.#atMs / minuteMs) * minuteMs + minuteMs;
    return false;
  }

  /** Whether this is the first advance. */
  #starts(): boolean {
    const first = !this.#advanced;
    this.#advanced = true;
    return first;
  }

  /** Go's `time.Date`: values beyond a month or year count on; of a time that does not exist, one of its neighbours. */
  #dateMs(year: number, month: number, day: number, hour: number, minute: number): number {
    const asUtcMs = Date.UTC(year, month - 1, day, hour, minute);
    const offsetMs = (atMs: number) => this.#clock(atMs).offsetMinutes * minuteMs;
    return asUtcMs - offsetMs(asUtcMs - offsetMs(asUtcMs));
  }
}
