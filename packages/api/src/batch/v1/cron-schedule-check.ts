/** Validates a schedule of five fields or a descriptor, with upstream's messages. */

import { parseDuration } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { hasTimeZone } from './time-zone.ts';

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

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** The problem, or undefined. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    checkSchedule(schedule);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function checkSchedule(schedule: string): void {
  let text = schedule;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const space = text.indexOf(' ');
    if (space < 0) throw new Error('invalid schedule format: runtime error: slice bounds out of range [:-1]');
    const zone = text.slice(text.indexOf('=') + 1, space);
    if (!hasTimeZone(zone)) throw new Error(`provided bad location ${zone}: unknown time zone ${zone}`);
    text = text.slice(space).trim();
  }
  if (text.startsWith('@')) {
    checkDescriptor(text);
    return;
  }
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== fieldBounds.length) {
    throw new Error(
      `expected exactly ${fieldBounds.length} fields, found ${fields.length}: [${fields.join(' ')}]`,
    );
  }
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(',')) if (range !== '') checkRange(range, fieldBounds[index]!);
  }
}

function checkDescriptor(text: string): void {
  if (descriptors.includes(text)) return;
  const every = '@every ';
  if (!text.startsWith(every)) throw new Error(`unrecognized descriptor: ${text}`);
  try {
    parseDuration(text.slice(every.length));
  } catch (error) {
    throw new Error(`failed to parse duration ${text}: ${messageOf(error)}`, { cause: error });
  }
}

function checkRange(text: string, bounds: Bounds): void {
  const parts = text.split('/');
  const limits = parts[0]!.split('-');
  let first = bounds.min;
  let last = bounds.max;
  if (limits[0] !== '*' && limits[0] !== '?') {
    first = parseValue(limits[0]!, bounds);
    if (limits.length > 2) throw new Error(`too many hyphens: ${text}`);
    last = limits.length === 1 ? first : parseValue(limits[1]!, bounds);
  }
  let step = 1;
  if (parts.length > 2) throw new Error(`too many slashes: ${text}`);
  if (parts.length === 2) {
    step = parseNumber(parts[1]!);
    if (limits.length === 1) last = bounds.max;
  }
  if (first < bounds.min) {
    throw new Error(`beginning of range (${first}) below minimum (${bounds.min}): ${text}`);
  }
  if (last > bounds.max) throw new Error(`end of range (${last}) above maximum (${bounds.max}): ${text}`);
  if (first > last) throw new Error(`beginning of range (${first}) beyond end of range (${last}): ${text}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${text}`);
}

function parseValue(text: string, { names, min }: Bounds): number {
  const at = names?.indexOf(text.toLowerCase()) ?? -1;
  return at >= 0 ? at + min : parseNumber(text);
}

function parseNumber(text: string): number {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    throw new Error(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  const value = Number(text);
  if (value < 0) throw new Error(`negative number (${value}) not allowed: ${text}`);
  return value;
}
