/** Parts of timestamps and durations. */

import {
  declareFunction,
  overload,
  type FunctionDeclaration,
  type Implementation,
} from '../declarations/declaration.ts';
import type { Duration } from '../values/duration.ts';
import { CelError } from '../values/error.ts';
import { intFromBigInt } from '../values/int.ts';
import type { Timestamp } from '../values/timestamp.ts';
import type { Value } from '../values/value.ts';
import { zoneOffsetSeconds } from './time-zone.ts';

/** @param date a date whose UTC parts are the local ones */
type Part = (date: Date, timestamp: Timestamp) => number;

function timestampPart(name: string, id: string, part: Part, zonedId = `${id}_with_tz`): FunctionDeclaration {
  const inUtc = (timestamp: Timestamp): Value => part(new Date(timestamp.seconds * 1000), timestamp);
  const inZone = (timestamp: Timestamp, zone: string): Value => {
    const offset = zoneOffsetSeconds(zone, timestamp.seconds);
    return offset instanceof CelError
      ? offset
      : part(new Date((timestamp.seconds + offset) * 1000), timestamp);
  };
  return declareFunction(name, [
    overload(id, 'timestamp.() -> int', inUtc as Implementation),
    overload(zonedId, 'timestamp.(string) -> int', inZone as Implementation),
  ]);
}

const millisecondsPerDay = 86_400_000;

function dayOfYear(date: Date): number {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  return Math.round((date.getTime() - start.getTime()) / millisecondsPerDay);
}

const durationPart = (name: string, id: string, unitNanoseconds: bigint): FunctionDeclaration =>
  declareFunction(name, [
    overload(id, 'duration.() -> int', ((duration: Duration): Value =>
      intFromBigInt(duration.nanoseconds / unitNanoseconds)!) as Implementation),
  ]);

export const standardTimeFunctions: readonly FunctionDeclaration[] = [
  timestampPart('getFullYear', 'timestamp_to_year', (date) => date.getUTCFullYear()),
  timestampPart('getMonth', 'timestamp_to_month', (date) => date.getUTCMonth()),
  timestampPart('getDayOfYear', 'timestamp_to_day_of_year', dayOfYear),
  timestampPart('getDayOfMonth', 'timestamp_to_day_of_month', (date) => date.getUTCDate() - 1),
  timestampPart('getDate', 'timestamp_to_day_of_month_1_based', (date) => date.getUTCDate()),
  timestampPart('getDayOfWeek', 'timestamp_to_day_of_week', (date) => date.getUTCDay()),
  timestampPart('getHours', 'timestamp_to_hours', (date) => date.getUTCHours()),
  durationPart('getHours', 'duration_to_hours', 3_600_000_000_000n),
  timestampPart('getMinutes', 'timestamp_to_minutes', (date) => date.getUTCMinutes()),
  durationPart('getMinutes', 'duration_to_minutes', 60_000_000_000n),
  timestampPart(
    'getSeconds',
    'timestamp_to_seconds',
    (date) => date.getUTCSeconds(),
    'timestamp_to_seconds_tz',
  ),
  durationPart('getSeconds', 'duration_to_seconds', 1_000_000_000n),
  timestampPart('getMilliseconds', 'timestamp_to_milliseconds', (_, { nanoseconds }) =>
    Math.trunc(nanoseconds / 1_000_000),
  ),
  durationPart('getMilliseconds', 'duration_to_milliseconds', 1_000_000n),
];
