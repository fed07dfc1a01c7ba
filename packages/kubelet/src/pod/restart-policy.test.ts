import { expect, test } from 'vitest';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { newRecord, type ContainerRole } from './container-record.ts';
import { restartsAfterExit } from './restart-policy.ts';

const pod = (restartPolicy: string) => ({ spec: { restartPolicy } }) as unknown as Pod;
const ended = (spec: object, role: ContainerRole = 'app') =>
  newRecord({ name: 'c', image: 'i', ...spec } as unknown as Container, role);
const rule = (action: string, operator: string, ...values: number[]) => ({
  action,
  exitCodes: { operator, values },
});

test.each([
  ['Always', {}, 0, true],
  ['OnFailure', {}, 0, false],
  ['OnFailure', {}, 1, true],
  ['Never', {}, 1, false],
  ['Never', { restartPolicy: 'Always' }, 0, true],
  ['Always', { restartPolicy: 'Never' }, 1, false],
  ['Never', { restartPolicy: 'Never', restartPolicyRules: [rule('Restart', 'In', 42)] }, 42, true],
  ['Never', { restartPolicy: 'Never', restartPolicyRules: [rule('Restart', 'In', 42)] }, 1, false],
  ['Never', { restartPolicy: 'Never', restartPolicyRules: [rule('Restart', 'NotIn', 1)] }, 2, true],
  ['Never', { restartPolicy: 'Never', restartPolicyRules: [rule('RestartAllContainers', 'In', 7)] }, 7, true],
])('in a pod that is restarted %s, %j with exit code %i: %s', (policy, spec, exitCode, expected) => {
  expect(restartsAfterExit(pod(policy), ended(spec), exitCode)).toBe(expected);
});

test('an init container that has succeeded is not started again', () => {
  expect(restartsAfterExit(pod('Always'), ended({}, 'init'), 0)).toBe(false);
  expect(restartsAfterExit(pod('Always'), ended({}, 'init'), 1)).toBe(true);
});
