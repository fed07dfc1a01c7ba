import { expect, test } from 'vitest';
import { readCheck } from './checks.ts';

const web = {
  spec: { replicas: 3 },
  status: {
    availableReplicas: 3,
    succeeded: 1,
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False' }],
  },
};

test.each([
  ['deployment/web has 3 available', web, true],
  ['deployment/web has 2 available', web, false],
  ['deployment/web has 0 ready', web, true],
  ['deployment/web has 0 ready', undefined, false],
  ['job/web has 1 succeeded', web, true],
  ['pod/web is Running', web, true],
  ['pod/web is Ready', web, false],
  ['pod/web is Running', undefined, false],
  ['service/web exists', web, true],
  ['service/web exists', undefined, false],
  ['pod/web is gone', undefined, true],
  ['pod/web is gone', web, false],
  ['deployment/web has spec.replicas = 3', web, true],
  ['deployment/web has spec.replicas = 4', web, false],
])('%s', (text, object, holds) => {
  const check = readCheck(text);
  expect(check.subject).toBe(text.split(' ')[0]);
  expect(check.holds(object)).toBe(holds);
});

test('other words are refused, with what is understood', () => {
  expect(() => readCheck('web works')).toThrow(
    /a check is “deployment\/web has 3 available”.*not “web works”/,
  );
});
