import { expect, test } from 'vitest';
import { readCheck } from './checks.ts';

const find = () => Promise.reject(new Error('not to be asked'));
const printed = find;

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
])('%s', async (text, object, holds) => {
  const asked: string[] = [];
  const find = async (name: string) => {
    asked.push(name);
    return object;
  };
  expect(await readCheck(text).holds({ find, printed })).toBe(holds);
  expect(asked).toEqual([text.split(' ')[0]]);
});

test.each([
  ['kubectl auth can-i list pods prints yes', 'yes\n', true],
  ['kubectl auth can-i list pods prints yes', 'no\n', false],
  ['kubectl run web --image=nginx does not print denied', 'pod/web created\n', true],
  ['kubectl run web --image=nginx does not print denied', 'Error: denied', false],
])('%s', async (text, answer, holds) => {
  const lines: string[] = [];
  const print = async (line: string) => {
    lines.push(line);
    return answer;
  };
  expect(await readCheck(text).holds({ find, printed: print })).toBe(holds);
  expect(lines).toEqual([text.replace(/ (does not print|prints) .*/, '')]);
});

test('other words are rejected, with the accepted forms', () => {
  expect(() => readCheck('web works')).toThrow(
    /a check is “deployment\/web has 3 available”.*not “web works”/,
  );
});
