import { expect, test } from 'vitest';
import { readCondition } from './conditions.ts';

const pod = {
  metadata: { name: 'p', generation: 2 },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    restarts: [{ name: 'main', count: 0 }],
  },
};

test.each([
  ['condition=ready', true],
  ['condition=Ready=false', false],
  ['jsonpath={.status.phase}=Running', true],
  ['jsonpath=.status.phase=Pending', false],
  ['jsonpath={.status.restarts[?(@.name=="main")].count}=0', true],
  ['jsonpath={.status.nothing}', false],
  ['create', true],
  ['delete', false],
])('--for=%s', (text, isMet) => {
  expect(readCondition(text).isMet(pod)).toBe(isMet);
});

test('a status of an older generation does not count', () => {
  const old = { ...pod, status: { ...pod.status, observedGeneration: 1 } };
  expect(readCondition('condition=Ready').isMet(old)).toBe(false);
});

test('what means nothing is refused', () => {
  expect(() => readCondition('magic')).toThrow('unrecognized condition: "magic"');
});
