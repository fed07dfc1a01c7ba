import { expect, test } from 'vitest';
import type { CronJob } from '../objects.ts';
import { dueTime, untilNextMs } from './missed-times.ts';
import { parseSchedule } from './schedule.ts';

const hourly = parseSchedule('0 * * * *');
const at = (text: string): number => Date.parse(`2026-01-01T${text}Z`);

const cronJob = (spec: object = {}, status: object = {}): CronJob =>
  ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace: 'default', creationTimestamp: '2026-01-01T00:30:00Z' },
    spec: { schedule: '0 * * * *', ...spec },
    status,
  }) as unknown as CronJob;

test('nothing is due before the first time', () => {
  expect(dueTime(cronJob(), hourly, at('00:59:00')).atMs).toBeUndefined();
});

test('of several missed times the latest is due', () => {
  expect(dueTime(cronJob(), hourly, at('05:10:00'))).toEqual({ atMs: at('05:00:00'), missedMany: false });
});

test('times before the last run are over', () => {
  const ran = cronJob({}, { lastScheduleTime: '2026-01-01T05:00:00Z' });
  expect(dueTime(ran, hourly, at('05:10:00')).atMs).toBeUndefined();
});

test('a time beyond the starting deadline is not made up for', () => {
  expect(dueTime(cronJob({ startingDeadlineSeconds: 60 }), hourly, at('05:10:00')).atMs).toBeUndefined();
  expect(dueTime(cronJob({ startingDeadlineSeconds: 900 }), hourly, at('05:10:00')).atMs).toBe(
    at('05:00:00'),
  );
});

test('more than a hundred missed times are reported', () => {
  expect(dueTime(cronJob(), hourly, at('00:00:00') + 5 * 86_400_000).missedMany).toBe(true);
});

test('the next look is a moment after the next time', () => {
  expect(untilNextMs(cronJob(), hourly, at('00:59:00'))).toBe(60_100);
});

test('a schedule that never comes is refused, and not looked at again', () => {
  const never = parseSchedule('0 0 30 2 *');

  expect(() => dueTime(cronJob(), never, at('00:59:00'))).toThrow(
    'time difference between two schedules is less than 1 second',
  );
  expect(untilNextMs(cronJob(), never, at('00:59:00'))).toBeUndefined();
});
