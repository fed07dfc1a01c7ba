/**
 * `npm run differ-schedules -- --program FILE`: robfig/cron and ours read the same schedules at random, in time zones
 * at random and around changes of the clock, and say when they come next. See README.md.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { seededRandom } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseSchedule } from '../../packages/kube-controller-manager/src/cronjob/schedule.ts';
import { Choices } from './cluster/choices.ts';

const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    schedules: { type: 'string', default: '4000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '20' },
  },
});
if (values.program === undefined) throw new Error('--program is required');

interface Question {
  readonly schedule: string;
  /** In seconds since the epoch. */
  readonly after: number;
  readonly count: number;
}

const choose = new Choices(seededRandom(Number(values.seed)));
const questions = Array.from({ length: Number(values.schedules) }, question);
const { stdout, stderr, status } = spawnSync(values.program, {
  input: questions.map((one) => JSON.stringify(one)).join('\n'),
  encoding: 'utf8',
  maxBuffer: 2 ** 30,
});
if (status !== 0) throw new Error(stderr);
const answers = stdout.trim().split('\n');

let differing = 0;
for (const [at, asked] of questions.entries()) {
  const ours = JSON.stringify(answerOf(asked));
  if (ours === answers[at]) continue;
  differing++;
  if (differing <= Number(values.show)) {
    const shown = (line: string) => line.replace(/\d{9,}/g, (digits) => timeOf(Number(digits)));
    const after = timeOf(asked.after);
    console.log(
      `${JSON.stringify(asked.schedule)} after ${after}\n  - ${shown(answers[at]!)}\n  + ${shown(ours)}`,
    );
  }
}
console.log(`${questions.length} schedules, ${differing} differ`);
process.exit(differing === 0 ? 0 : 1);

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function answerOf({ schedule, after, count }: Question): { error: string } | { times?: number[] } {
  try {
    const parsed = parseSchedule(schedule);
    const times: number[] = [];
    let at: number | undefined = after * 1000;
    while (times.length < count && (at = parsed.next(at)) !== undefined) times.push(at / 1000);
    return times.length === 0 ? {} : { times };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function question(): Question {
  const zone = choose.chance(0.7) ? `${choose.one(['TZ', 'TZ', 'CRON_TZ'])}=${timeZone()} ` : '';
  const body = choose.chance(0.1)
    ? choose.one([
        '@hourly',
        '@daily',
        '@weekly',
        '@monthly',
        '@yearly',
        '@midnight',
        '@every 90m',
        '@every 1.5s',
      ])
    : choose.chance(0.03)
      ? choose.one([
          '@never',
          '@every',
          '@every x',
          '@every -1h',
          '@',
          '* * * *',
          '',
          ' ',
          '* * * * * *',
          'TZ=UTC',
        ])
      : spec();
  const day = Math.floor(Date.UTC(2026, choose.whole(0, 23), choose.whole(1, 31)) / 1000);
  return { schedule: zone + body, after: day + choose.whole(0, 86_400), count: choose.whole(1, 6) };
}

/** Mostly zones whose clocks change at odd times: at midnight, by half an hour, or on the first of a month. */
function timeZone(): string {
  const changing = [
    'Europe/Berlin',
    'America/New_York',
    'America/Santiago',
    'America/Asuncion',
    'America/Havana',
    'Africa/Cairo',
    'Asia/Beirut',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'Atlantic/Azores',
    'America/Scoresbysund',
    'America/Nuuk',
    'Antarctica/Troll',
    'America/St_Johns',
    'Asia/Gaza',
    'Asia/Jerusalem',
    'Europe/Chisinau',
  ];
  const odd = [
    'PST',
    'us/pacific',
    'US/Pacific',
    'Local',
    'Nowhere/Town',
    '+05:00',
    'utc',
    'EST5EDT',
    'IST',
    '',
    'GB',
  ];
  return choose.chance(0.9)
    ? choose.one(changing)
    : choose.one([...odd, ...Intl.supportedValuesOf('timeZone')]);
}

function spec(): string {
  const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  return [
    field(0, 59, []),
    field(0, 23, []),
    choose.chance(0.4) ? '*' : field(1, 31, []),
    choose.chance(0.5) ? '*' : field(1, 12, months),
    choose.chance(0.4) ? '*' : field(0, 6, days),
  ].join(choose.chance(0.05) ? '  ' : ' ');
}

function field(min: number, max: number, names: readonly string[]): string {
  const number = () => choose.whole(choose.chance(0.02) ? min - 1 : min, choose.chance(0.02) ? max + 1 : max);
  const value = () => {
    if (names.length > 0 && choose.chance(0.3)) return choose.one(names);
    return choose.chance(0.02)
      ? choose.one(['-1', '+2', 'x', '', 'MON', '99999999999999999999', '0x1'])
      : `${number()}`;
  };
  const range = () => {
    const low = number();
    return choose.one([
      value,
      value,
      () => '*',
      () => '?',
      () => `*/${choose.one([1, 2, 5, 15, 0, 70])}`,
      () => `${low}-${Math.min(max, low + choose.whole(0, 9))}`,
      () => `${low}-${max}/${choose.whole(1, 9)}`,
      () => `${value()}/${choose.whole(1, 20)}`,
    ])();
  };
  const odd = ['*-5', '1-2-3', '*-1-2/3', '1/2/3', ',', '1,,2', '*,1', '5-1', '1-', '-'];
  return choose.chance(0.02) ? choose.one(odd) : choose.times(1, 2, range).join(',');
}
