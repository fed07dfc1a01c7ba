import { expect, test } from 'vitest';
import { AllowanceSpent, WorkAllowance, withinAllowance } from '../work-allowance.ts';
import { readYaml } from './read.ts';

/** A clock that advances by a millisecond with each read: each look at the allowance costs one. */
function allowing(ms: number): WorkAllowance {
  let nowMs = 0;
  return new WorkAllowance({ monotonic: () => nowMs++ }, ms);
}

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

const merged = `base: &base\n${lines(100, (at) => `  key-${at}: v\n`)}${lines(100, (at) => `copy-${at}: {<<: *base}\n`)}`;
const toTheLeft = `data:\n  text: "\n${lines(100, (at) => `line ${at}\n`)}"\n`;

test.each([
  ['merges make much of a short text', merged],
  ['each line of a quoted text is further to the left than its key', toTheLeft],
])('reading is left to another thread where it takes long: %s', (_, text) => {
  expect(() => withinAllowance(allowing(5), () => readYaml(text))).toThrow(AllowanceSpent);
  expect(withinAllowance(allowing(1_000_000), () => readYaml(text))).toEqual(readYaml(text));
});

test('lines that are moved to the right do not move the next ones further', () => {
  expect(readYaml(toTheLeft)).toEqual({
    data: { text: ` ${lines(100, (at) => `line ${at} `)}` },
  });
});
