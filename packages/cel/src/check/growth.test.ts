import { AllowanceSpent, WorkAllowance, withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { expect, test } from 'vitest';
import { baseEnvironment } from '../index.ts';
import { opaqueType, typeParameter, intType, stringType } from '../types/type.ts';
import { assignAll, substitute, Substitutions } from './unify.ts';

const long = (terms: number): string => Array.from({ length: terms }, () => '1 == 1').join(' || ');

/** Advances by a millisecond with each read. */
function lookingClock() {
  let nowMs = 0;
  return { monotonic: () => nowMs++, looks: () => nowMs };
}

test('compiling looks at the allowance in proportion to the length of an expression', () => {
  const looks = (terms: number): number => {
    const clock = lookingClock();
    withinAllowance(new WorkAllowance(clock, 1e9), () => baseEnvironment.compile(long(terms)));
    return clock.looks();
  };
  expect(looks(1_000) / looks(100)).toBeGreaterThan(5);
  expect(looks(1_000) / looks(100)).toBeLessThan(15);
});

test.each([
  ['long', long(1_000)],
  ['nested', `${'('.repeat(200)}true${')'.repeat(200)}`],
  ['wrong', '1 + '.repeat(1_000)],
])('an expression that compiles for longer than is allowed is left to another thread: %s', (_, text) => {
  const allowance = new WorkAllowance(lookingClock(), 5);
  expect(() => withinAllowance(allowance, () => baseEnvironment.compile(text))).toThrow(AllowanceSpent);
});

test('types that do not match leave no substitution behind, and others are kept', () => {
  const [one, other] = [typeParameter('one'), typeParameter('other')];
  const known = new Substitutions();
  expect(assignAll(known, [intType], [one])).toBe(true);

  const pair = opaqueType('pair', stringType, intType);
  expect(assignAll(known, [pair], [opaqueType('pair', other, stringType)])).toBe(false);
  expect(substitute(known, other, false)).toBe(other);
  expect(substitute(known, one, false)).toBe(intType);
});
