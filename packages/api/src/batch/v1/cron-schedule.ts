/** Parses cron schedules as robfig/cron does: five fields, names, steps, `@hourly`, `@every 1h`, `TZ=…`. */

import { goQuote, parseDuration } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { hasTimeZone } from './time-zone.ts';

export interface CronField {
  /** Empty for a field of commas only, which never matches. */
  readonly values: ReadonlySet<number>;
  /** Whether a part of it is `*` or `?` with a step of one, which does not restrict. */
  readonly any: boolean;
}

export interface CronFields {
  readonly minute: CronField;
  readonly hour: CronField;
  /** Of the month, from 1. */
  readonly day: CronField;
  /** From 1. */
  readonly month: CronField;
  /** Sunday is 0. */
  readonly weekday: CronField;
}

/** `@every` ignores the zone. */
export type CronSchedule =
  | { readonly kind: 'fields'; readonly fields: CronFields; readonly zone: string }
  | { readonly kind: 'every'; readonly periodMs: number };

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fieldBounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The problem, or undefined. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * `parseCronSchedule('TZ=Europe/Berlin *\/15 9-17 * * mon-fri')`
 *
 * @throws Error with upstream's message
 */
export function parseCronSchedule(schedule: string): CronSchedule {
  if (schedule === '') throw new Error('empty spec string');
  if (!schedule.startsWith('TZ=') && !schedule.startsWith('CRON_TZ=')) return parseUnzoned(schedule, '');
  const space = schedule.indexOf(' ');
  if (space < 0) throw new Error('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const zone = schedule.slice(schedule.indexOf('=') + 1, space);
  if (!hasTimeZone(zone)) throw new Error(`provided bad location ${zone}: unknown time zone ${zone}`);
  return parseUnzoned(schedule.slice(space).trim(), zone);
}

function parseUnzoned(text: string, zone: string): CronSchedule {
  const every = '@every ';
  if (text.startsWith(every))
    return { kind: 'every', periodMs: parsePeriodMs(text, text.slice(every.length)) };
  const spec = text.startsWith('@') ? descriptors[text] : text;
  if (spec === undefined) throw new Error(`unrecognized descriptor: ${text}`);
  return { kind: 'fields', fields: parseFields(spec), zone };
}

/** Whole seconds, at least one. */
function parsePeriodMs(text: string, duration: string): number {
  try {
    return Math.max(1000, Number(parseDuration(duration) / 1_000_000_000n) * 1000);
  } catch (error) {
    throw new Error(`failed to parse duration ${text}: ${messageOf(error)}`, { cause: error });
  }
}

function parseFields(text: string): CronFields {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length !== fieldBounds.length) {
    throw new Error(
      `expected exactly ${fieldBounds.length} fields, found ${words.length}: [${words.join(' ')}]`,
    );
  }
  const [minute, hour, day, month, weekday] = fieldBounds.map((bounds, at) =>
    parseField(words[at]!, bounds),
  ) as [CronField, CronField, CronField, CronField, CronField];
  return { minute, hour, day, month, weekday };
}

function parseField(text: string, bounds: Bounds): CronField {
  const values = new Set<number>();
  let any = false;
  for (const part of text.split(',')) {
    if (part === '') continue;
    const range = parseRange(part, bounds);
    any ||= range.any;
    for (let value = range.first; value <= range.last; value += range.step) values.add(value);
  }
  return { values, any };
}

interface Range {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  readonly any: boolean;
}

function parseRange(text: string, bounds: Bounds): Range {
  const parts = text.split('/');
  const limits = parts[0]!.split('-');
  const any = limits[0] === '*' || limits[0] === '?';
  let first = bounds.min;
  let last = bounds.max;
  if (!any) {
    first = parseValue(limits[0]!, bounds);
    if (limits.length > 2) throw new Error(`too many hyphens: ${text}`);
    last = limits.length === 1 ? first : parseValue(limits[1]!, bounds);
  }
  let step = 1;
  if (parts.length > 2) throw new Error(`too many slashes: ${text}`);
  if (parts.length === 2) {
    step = parseNumber(parts[1]!);
    // `5/15` is `5-59/15`.
    if (limits.length === 1) last = bounds.max;
  }
  if (first < bounds.min) {
    throw new Error(`beginning of range (${first}) below minimum (${bounds.min}): ${text}`);
  }
  if (last > bounds.max) throw new Error(`end of range (${last}) above maximum (${bounds.max}): ${text}`);
  if (first > last) throw new Error(`beginning of range (${first}) beyond end of range (${last}): ${text}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${text}`);
  return { first, last, step, any: any && step === 1 };
}

function parseValue(text: string, { names, min }: Bounds): number {
  const at = names?.indexOf(text.toLowerCase()) ?? -1;
  return at >= 0 ? at + min : parseNumber(text);
}

/** Go's int. */
const intMax = 2n ** 63n - 1n;

function parseNumber(text: string): number {
  const fail = (problem: string) =>
    new Error(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${problem}`);
  if (!/^[+-]?[0-9]+$/.test(text)) throw fail('invalid syntax');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > intMax || value < -intMax - 1n) throw fail('value out of range');
  if (value < 0) throw new Error(`negative number (${value}) not allowed: ${text}`);
  return Number(value);
}
