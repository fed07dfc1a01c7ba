import { expect, test } from 'vitest';
import { workloadHealth } from './workload-health.ts';

const deployment = (status: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 3 },
  status,
});
const stuck = {
  type: 'Progressing',
  status: 'False',
  reason: 'ProgressDeadlineExceeded',
  message: 'timed out',
};

test.for([
  ['complete', { readyReplicas: 3, updatedReplicas: 3 }, 'ok', '3/3'],
  ['starting', { readyReplicas: 1, updatedReplicas: 3 }, 'warn', '1/3'],
  ['replacing its pods', { readyReplicas: 3, updatedReplicas: 1 }, 'info', 'Rolling out'],
  ['without a new pod yet', { readyReplicas: 3 }, 'info', 'Rolling out'],
  ['past its deadline', { readyReplicas: 3, updatedReplicas: 1, conditions: [stuck] }, 'bad', stuck.reason],
] as const)('a Deployment that is %s', ([, status, tone, state]) => {
  expect(workloadHealth('Deployment', deployment(status))).toMatchObject({ tone, state });
});

test('a ReplicaSet has no pods to update', () => {
  expect(workloadHealth('ReplicaSet', deployment({ readyReplicas: 3 }))).toMatchObject({
    tone: 'ok',
    state: '3/3',
  });
});
