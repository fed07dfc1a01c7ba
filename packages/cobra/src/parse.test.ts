import { describe, expect, test } from 'vitest';
import {
  bool,
  count,
  duration,
  int,
  string,
  stringArray,
  stringSlice,
  stringToString,
} from './command/flag-kinds.ts';
import { FlagSet } from './command/flag-set.ts';
import { parseArguments } from './parse.ts';

const table = {
  output: string({ shorthand: 'o', usage: 'format' }),
  dryRun: string({ default: 'none', bareValue: 'unchanged', usage: 'only try' }),
  level: int({ name: 'v', shorthand: 'v', usage: 'verbosity' }),
  stdin: bool({ shorthand: 'i', usage: 'pass standard input' }),
  tty: bool({ shorthand: 't', usage: 'a terminal' }),
  labels: stringSlice({ shorthand: 'L', usage: 'columns' }),
  literal: stringArray({ usage: 'pairs' }),
  limits: stringToString({ usage: 'limits' }),
  timeout: duration({ usage: 'how long' }),
  more: count({ shorthand: 'm', usage: 'more' }),
  old: bool({ usage: 'old', deprecated: 'use --new' }),
};

function read(...args: string[]) {
  const flags = new FlagSet().add(table, 'local');
  const parsed = parseArguments(args, flags);
  return { ...parsed, flags: flags.values(), changed: (key: string) => flags.changed(key) };
}

describe('one option can be written in several ways', () => {
  test.each([
    [['-oyaml'], { output: 'yaml' }],
    [['-o', 'yaml'], { output: 'yaml' }],
    [['-o=yaml'], { output: 'yaml' }],
    [['--output=yaml'], { output: 'yaml' }],
    [['--output', 'yaml'], { output: 'yaml' }],
    [['-v=6'], { level: 6 }],
    [['-v', '6'], { level: 6 }],
    [['-v6'], { level: 6 }],
    [['-it'], { stdin: true, tty: true }],
    [['-ti', '--tty=false'], { stdin: true, tty: false }],
    [['-itoname'], { stdin: true, tty: true, output: 'name' }],
    [['--dry-run'], { dryRun: 'unchanged' }],
    [['--dry-run=client'], { dryRun: 'client' }],
    [['--dry_run=client'], { dryRun: 'client' }],
    [['-mmm'], { more: 3 }],
    [['--more=5', '-m'], { more: 6 }],
    [['-L', 'a,b', '-Lc'], { labels: ['a', 'b', 'c'] }],
    [['--labels="a,b",c'], { labels: ['a,b', 'c'] }],
    [['--literal=a=1,2', '--literal', 'b'], { literal: ['a=1,2', 'b'] }],
    [['--limits=cpu=1,memory=2', '--limits=pods=3'], { limits: { cpu: '1', memory: '2', pods: '3' } }],
    [['--timeout=1m30s'], { timeout: 90_000 }],
    [['--v=0x10'], { level: 16 }],
  ])('%j', (args, expected) => {
    expect(read(...args).flags).toMatchObject(expected);
  });
});

test('an option with an optional value leaves the next word alone', () => {
  const { args, flags } = read('--dry-run', 'client');
  expect(args).toEqual(['client']);
  expect(flags['dryRun']).toBe('unchanged');
});

test('options may stand between arguments, and end at --', () => {
  const { args, argsLengthAtDash, flags } = read('a', '-i', 'b', '--', '-t', 'c');
  expect(args).toEqual(['a', 'b', '-t', 'c']);
  expect(argsLengthAtDash).toBe(2);
  expect(flags).toMatchObject({ stdin: true, tty: false });
});

test('a lone dash is an argument', () => {
  expect(read('-o', '-', '-').args).toEqual(['-']);
});

test('what was set is known apart from what is by default', () => {
  const { changed } = read('--dry-run=none');
  expect(changed('dryRun')).toBe(true);
  expect(changed('output')).toBe(false);
});

test('a deprecated option works and says so', () => {
  expect(read('--old').notices).toEqual(['Flag --old has been deprecated, use --new\n']);
});

test.each([
  [['--wrong'], 'unknown flag: --wrong'],
  [['--=x'], 'bad flag syntax: --=x'],
  [['---x'], 'bad flag syntax: ---x'],
  [['-Z'], "unknown shorthand flag: 'Z' in -Z"],
  [['-itZ'], "unknown shorthand flag: 'Z' in -Z"],
  [['--output'], 'flag needs an argument: --output'],
  [['-o'], "flag needs an argument: 'o' in -o"],
  [
    ['--tty=maybe'],
    'invalid argument "maybe" for "-t, --tty" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  [['--v=x'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseInt: parsing "x": invalid syntax'],
  [
    ['--v=99999999999999999999'],
    'invalid argument "99999999999999999999" for "-v, --v" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  [['--timeout=never'], 'invalid argument "never" for "--timeout" flag: time: invalid duration "never"'],
  [['--timeout=5'], 'invalid argument "5" for "--timeout" flag: time: missing unit in duration "5"'],
  [['--timeout=5x'], 'invalid argument "5x" for "--timeout" flag: time: unknown unit "x" in duration "5x"'],
  [['--limits=a'], 'invalid argument "a" for "--limits" flag: a must be formatted as key=value'],
])('%j is refused: %s', (args, message) => {
  expect(() => read(...args)).toThrow(message);
});
