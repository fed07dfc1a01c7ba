import { AllowanceSpent, WorkAllowance, withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { expect, test } from 'vitest';
import { ruleText, TooManyCombinations, uncovered } from './rule-cover.ts';

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

/** Twelve kilobytes that stand for a billion combinations. */
const enormous = {
  apiGroups: names('g', 1_000),
  resources: names('r', 1_000),
  verbs: names('v', 1_000),
};

test('missing verbs of a resource are listed together', () => {
  const held = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const wanted = [{ apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list'] }];
  expect(uncovered(held, wanted).map(ruleText)).toEqual([
    '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
    '{APIGroups:[""], Resources:["services"], Verbs:["get" "list"]}',
  ]);
});

test('a rule of a billion missing combinations is not taken apart', () => {
  const missing = uncovered([], [enormous]).flatMap(({ verbs = [] }) => verbs);
  expect(missing).toHaveLength(10_000);
});

test('a rule with more covered combinations than can be compared is refused', () => {
  const held = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  expect(() => uncovered(held, [enormous], 10_000)).toThrow(TooManyCombinations);
});

test('comparing many rules continues in another thread once the allowance is spent', () => {
  let nowMs = 0;
  const allowance = new WorkAllowance({ monotonic: () => nowMs++ }, 3);
  const held = names('r', 1_000).map((name) => ({ apiGroups: [''], resources: [name], verbs: ['get'] }));
  expect(() => withinAllowance(allowance, () => uncovered(held, held))).toThrow(AllowanceSpent);
});
