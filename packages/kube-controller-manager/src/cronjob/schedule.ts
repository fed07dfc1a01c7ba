/** Parses cron schedules like robfig/cron: five fields, names, steps, `@hourly`, `@every 1h`, `TZ=…`. */

import { parseDurationMs } from '@coxswain/apimachinery';
import { wallClock, type WallClock } from './wall-clock.ts';

export interface Schedule {
  /**
   * Returns the first time after `afterMs`, in milliseconds since the epoch; undefined if there is none within five
   * years.
   */
  next(afterMs: number): number | undefined;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const yearsMax = 5;

interface FieldShape {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const minuteField: FieldShape = { min: 0, max: 59 };
const hourField: FieldShape = { min: 0, max: 23 };
const dayField: FieldShape = { min: 1, max: 31 };
const monthField: FieldShape = {
  min: 1,
  max: 12,
  names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
const weekdayField: FieldShape = { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** @throws Error with upstream's message */
export function parseSchedule(text: string): Schedule {
  const zoned = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(text);
  const clock = wallClock(zoned?.[1] ?? 'UTC');
  const spec = (zoned?.[2] ?? text).trim();
  if (spec === '') throw new Error('empty spec string');
  if (!spec.startsWith('@')) return fieldSchedule(spec, clock);
  const every = /^@every (.*)$/.exec(spec);
  if (every !== null) return everySchedule(every[1]!);
  const known = descriptors[spec];
  if (known === undefined) throw new Error(`unrecognized descriptor: ${spec}`);
  return fieldSchedule(known, clock);
}

function everySchedule(text: string): Schedule {
  const periodMs = Math.max(1000, Math.floor(parseDurationMs(text) / 1000) * 1000);
  return { next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + periodMs };
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it was written as `*` or `?`, which does not restrict. */
  readonly any: boolean;
}

interface Fields {
  readonly minute: Field;
  readonly hour: Field;
  readonly day: Field;
  readonly month: Field;
  readonly weekday: Field;
}

function fieldSchedule(spec: string, clock: WallClock): Schedule {
  const parts = spec.split(/\s+/);
  if (parts.length !== 5)
    throw new Error(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minute, hour, day, month, weekday] = [
    minuteField,
    hourField,
    dayField,
    monthField,
    weekdayField,
  ].map((shape, index) => parseField(parts[index]!, shape)) as [Field, Field, Field, Field, Field];
  const fields = { minute, hour, day, month, weekday };
  return { next: (afterMs) => findNext(fields, clock, afterMs) };
}

/** Advances in absolute time, so that times skipped by daylight saving are skipped, and repeated ones are not lost. */
function findNext(fields: Fields, clock: WallClock, afterMs: number): number | undefined {
  let at = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
  const endMs = at + yearsMax * 366 * 24 * hourMs;
  while (at < endMs) {
    const wall = clock(at);
    if (!fields.month.values.has(wall.month) || !matchesDay(fields, wall)) {
      at = startOfNextDay(at, clock);
    } else if (!fields.hour.values.has(wall.hour)) at += hourMs - wall.minute * minuteMs;
    else if (!fields.minute.values.has(wall.minute)) at += minuteMs;
    else return at;
  }
  return undefined;
}

/** If both day fields are restricted, matching either is enough. */
function matchesDay({ day, weekday }: Fields, wall: ReturnType<WallClock>): boolean {
  const byDay = day.values.has(wall.day);
  const byWeekday = weekday.values.has(wall.weekday);
  return day.any || weekday.any ? byDay && byWeekday : byDay || byWeekday;
}

/** Days have 23 to 25 hours. */
function startOfNextDay(atMs: number, clock: WallClock): number {
  const wall = clock(atMs);
  const next = atMs + (24 - wall.hour) * hourMs - wall.minute * minuteMs;
  const landed = clock(next);
  if (landed.day === wall.day) return next + hourMs;
  const early = next - landed.hour * hourMs;
  return landed.hour > 0 && clock(early).day === landed.day ? early : next;
}

function parseField(text: string, shape: FieldShape): Field {
  const values = new Set<number>();
  let any = false;
  for (const part of text.split(',')) {
    const range = parseRange(part, shape);
    any ||= range.any;
    for (let value = range.first; value <= range.last; value += range.step) values.add(value);
  }
  return { values, any };
}

function parseRange(
  text: string,
  shape: FieldShape,
): { first: number; last: number; step: number; any: boolean } {
  const [rangeText = '', stepText, ...tooMany] = text.split('/');
  if (tooMany.length > 0) throw new Error(`too many slashes: ${text}`);
  const [lowText = '', highText, ...tooManyBounds] = rangeText.split('-');
  if (tooManyBounds.length > 0) throw new Error(`too many hyphens: ${text}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  const isAny = lowText === '*' || lowText === '?';
  const first = isAny ? shape.min : parseValue(lowText, shape);
  let last = isAny ? shape.max : highText === undefined ? first : parseValue(highText, shape);
  // `5/15` is `5-59/15`.
  if (!isAny && highText === undefined && stepText !== undefined) last = shape.max;
  if (first < shape.min)
    throw new Error(`beginning of range (${first}) below minimum (${shape.min}): ${text}`);
  if (last > shape.max) throw new Error(`end of range (${last}) above maximum (${shape.max}): ${text}`);
  if (first > last) throw new Error(`beginning of range (${first}) beyond end of range (${last}): ${text}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${text}`);
  return { first, last, step, any: isAny && step === 1 };
}

function parseValue(text: string, { names }: FieldShape): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return named >= 0 && text !== '' ? named : parseNumber(text);
}

function parseNumber(text: string): number {
  if (/^[+-]?[0-9]+$/.test(text)) {
    if (text.startsWith('-')) throw new Error(`negative number (${text}) not allowed: ${text}`);
    return Number(text);
  }
  throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`);
}
