import { expect, test } from 'vitest';
import { parseSchedule } from './schedule.ts';

const nextOf = (schedule: string, after: string): string | undefined => {
  const at = parseSchedule(schedule).next(Date.parse(after));
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 16);
};

test.each([
  ['*/15 * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:15'],
  ['59 23 31 12 *', '2026-01-01T00:00:00Z', '2026-12-31T23:59'],
  ['@hourly', '2026-01-01T00:30:00Z', '2026-01-01T01:00'],
  ['0 9 * * mon-fri', '2026-01-02T09:00:00Z', '2026-01-05T09:00'],
  ['0 0 29 feb *', '2026-01-01T00:00:00Z', '2028-02-29T00:00'],
])('%s after %s comes at %s', (schedule, after, expected) => {
  expect(nextOf(schedule, after)).toBe(expected);
});

test('with both a day of the month and a weekday, either will do', () => {
  expect(nextOf('0 0 13 * fri', '2026-01-01T00:00:00Z')).toBe('2026-01-02T00:00');
  expect(nextOf('0 0 13 * fri', '2026-01-10T00:00:00Z')).toBe('2026-01-13T00:00');
});

test('a zone moves the time, and follows its summer', () => {
  expect(nextOf('TZ=Europe/Berlin 0 12 * * *', '2026-01-01T00:00:00Z')).toBe('2026-01-01T11:00');
  expect(nextOf('TZ=Europe/Berlin 0 12 * * *', '2026-07-01T00:00:00Z')).toBe('2026-07-01T10:00');
});

test('a day that never comes is not waited for', () => {
  expect(nextOf('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
});

test('an invalid schedule is refused', () => {
  for (const text of ['', '* * * *', '60 * * * *', '*/0 * * * *', '@never', 'TZ=Nowhere/Town 0 * * * *']) {
    expect(() => parseSchedule(text), text).toThrow();
  }
});
