import type { KubeObject } from '@coxswain/apimachinery';
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

const unavailable = { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' };
const refused = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'denied' };

test.for([
  ['complete', { readyReplicas: 3, updatedReplicas: 3 }, 'ok', '3/3'],
  ['starting', { readyReplicas: 1, updatedReplicas: 3 }, 'warn', '1/3'],
  ['replacing its pods', { readyReplicas: 3, updatedReplicas: 1 }, 'info', 'Rolling out'],
  ['without a new pod yet', { readyReplicas: 3 }, 'info', 'Rolling out'],
  ['past its deadline', { readyReplicas: 3, updatedReplicas: 1, conditions: [stuck] }, 'bad', stuck.reason],
  ['denied its pods', { conditions: [unavailable, refused] }, 'bad', refused.reason],
] as const)('a Deployment that is %s', ([, status, tone, state]) => {
  expect(workloadHealth('Deployment', deployment(status))).toMatchObject({ tone, state });
});

test('a ReplicaSet has no pods to update', () => {
  expect(workloadHealth('ReplicaSet', deployment({ readyReplicas: 3 }))).toMatchObject({
    tone: 'ok',
    state: '3/3',
  });
});

test('a custom resource with replicas is not taken for pods that are missing', () => {
  expect(workloadHealth('Database', deployment({}))).toMatchObject({ tone: 'ok', state: '' });
  expect(workloadHealth('Database', deployment({ readyReplicas: 1 }))).toMatchObject({
    tone: 'warn',
    state: '1/3',
  });
});

test.for([
  ['running', { active: 1 }, 'info', '0/2'],
  ['retried', { active: 1, succeeded: 1, failed: 1 }, 'warn', '1/2'],
  ['complete', { succeeded: 2, conditions: [{ type: 'Complete', status: 'True' }] }, 'ok', 'Complete'],
  [
    'failed',
    { failed: 7, conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] },
    'bad',
    'BackoffLimitExceeded',
  ],
] as const)('a Job that is %s', ([, status, tone, state]) => {
  const job = { ...deployment(status), spec: { completions: 2 } };
  expect(workloadHealth('Job', job)).toMatchObject({ tone, state });
});

test.for([
  ['has run', {}, { lastScheduleTime: '2026-01-01T00:00:00Z' }, 'ok', ''],
  ['has not run', {}, {}, 'info', 'Not run yet'],
  ['is suspended', { suspend: true }, {}, 'idle', 'Suspended'],
] as const)('a CronJob that %s', ([, spec, status, tone, state]) => {
  expect(workloadHealth('CronJob', { ...deployment(status), spec } as KubeObject)).toMatchObject({
    tone,
    state,
  });
});

test('an object that is deleted says what keeps it', () => {
  const metadata = { name: 'held', deletionTimestamp: '2026-01-01T00:00:00Z' };
  expect(
    workloadHealth('ConfigMap', { metadata: { ...metadata, finalizers: ['example.test/hold'] } }),
  ).toEqual({
    tone: 'info',
    state: 'Terminating',
    reason: 'It is kept until these finalizers are removed: example.test/hold',
  });
  const conditions = [
    { type: 'NamespaceDeletionContentFailure', status: 'False', message: 'All content successfully deleted' },
    { type: 'NamespaceContentRemaining', status: 'True', message: 'Some resources are remaining' },
    {
      type: 'NamespaceFinalizersRemaining',
      status: 'True',
      message: 'Some content has finalizers remaining',
    },
  ];
  expect(workloadHealth('Namespace', { metadata, status: { conditions } } as KubeObject).reason).toBe(
    'Some content has finalizers remaining',
  );
});
