import { AllowanceSpent, WorkAllowance, withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { expect, test } from 'vitest';
import { baseEnvironment, declaredInt, declaredList, valueOf } from '../index.ts';

const self = declaredList(declaredInt);
const environment = baseEnvironment.extend({ variables: { self } });
const { ast } = environment.compile('self.all(x, self.all(y, x + y >= 0))');
const program = environment.program(ast!);
/** A hundred items are visited ten thousand times. */
const activation = {
  self: valueOf(
    Array.from({ length: 100 }, (_, at) => at),
    self,
  ),
};

/** A clock that advances by a millisecond with each read. */
function clockThatGoesOn() {
  let nowMs = 0;
  return { monotonic: () => nowMs++, looks: () => nowMs };
}

test('an evaluation periodically checks its allowance, and stops when it is spent', () => {
  const clock = clockThatGoesOn();
  const allowance = new WorkAllowance(clock, 5);

  expect(() => withinAllowance(allowance, () => program.evaluate(activation))).toThrow(AllowanceSpent);
  expect(clock.looks()).toBeLessThan(10);
});

test('the allowance covers all evaluations together', () => {
  const allowance = new WorkAllowance(clockThatGoesOn(), 100);
  const evaluated = () => withinAllowance(allowance, () => program.evaluate(activation)).value;

  expect(evaluated()).toBe(true);
  expect(() => {
    evaluated();
    evaluated();
    evaluated();
  }).toThrow(AllowanceSpent);
});

test('without an allowance there are no checks, and the cost is the same', () => {
  const alone = program.evaluate(activation);
  const allowance = new WorkAllowance(clockThatGoesOn(), 1_000);
  const allowed = withinAllowance(allowance, () => program.evaluate(activation));

  expect(allowed).toEqual(alone);
});
