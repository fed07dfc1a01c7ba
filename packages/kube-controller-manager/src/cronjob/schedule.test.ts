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

// Answers of robfig/cron; `npm run differ-schedules` compares more.
test.each([
  [
    'midnight does not come',
    'TZ=Africa/Cairo 0 0 * * *',
    '2026-04-24T00:00Z',
    ['2026-04-24T21:00', '2026-04-25T21:00'],
  ],
  [
    'half past midnight does not come',
    'TZ=America/Santiago 30 0 * * *',
    '2026-09-05T00:00Z',
    ['2026-09-05T04:30', '2026-09-07T03:30'],
  ],
  [
    'a skipped time does not come',
    'TZ=Europe/Berlin 30 2 * * *',
    '2026-03-28T00:00Z',
    ['2026-03-28T01:30', '2026-03-30T00:30'],
  ],
  [
    'a repeated time comes twice',
    'TZ=Europe/Berlin 30 2 * * *',
    '2026-10-25T00:00Z',
    ['2026-10-25T00:30', '2026-10-25T01:30'],
  ],
  [
    'clocks change by half an hour',
    'TZ=Australia/Lord_Howe 15 2 * * *',
    '2026-10-03T12:00Z',
    ['2026-10-04T15:15', '2026-10-05T15:15'],
  ],
  [
    'the end of an unlimited range is ignored',
    '0 0 *-7 * mon',
    '2026-01-01T00:00Z',
    ['2026-01-05T00:00', '2026-01-12T00:00'],
  ],
  [
    'a field of commas never matches',
    '0 0 13 * ,',
    '2026-01-01T00:00Z',
    ['2026-01-13T00:00', '2026-02-13T00:00'],
  ],
  ['empty parts are ignored', '0 0 1,,2 * *', '2026-01-01T00:00Z', ['2026-01-02T00:00', '2026-02-01T00:00']],
  ['a step restricts', '0 0 */2 * mon', '2026-01-01T00:00Z', ['2026-01-03T00:00', '2026-01-05T00:00']],
])('%s: %s', (_what, schedule, after, expected) => {
  const { next } = parseSchedule(schedule);
  const first = next(Date.parse(after));
  const times = [first, next(first ?? Number.NaN)];
  expect(times.map((at) => at && new Date(at).toISOString().slice(0, 16))).toEqual(expected);
});

test('a minute that never matches is not waited for', () => {
  expect(nextOf(', * * * *', '2026-01-01T00:00:00Z')).toBeUndefined();
});

test('fractions of a second do not count in a period', () => {
  expect(parseSchedule('@every 1500ms').next(250)).toBe(1000);
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
  for (const text of [
    '',
    '* * * *',
    '60 * * * *',
    '*/0 * * * *',
    '@never',
    'TZ=Nowhere/Town 0 * * * *',
    'TZ=PST 0 * * * *',
  ]) {
    expect(() => parseSchedule(text), text).toThrow();
  }
});
