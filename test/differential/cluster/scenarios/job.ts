import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  create,
  events,
  patch,
  pod,
  remove,
  scenario,
  template,
  until,
  item,
  view,
  wait,
} from './building.ts';
import type { PodParts } from './building.ts';

const job = (spec: JsonObject, run = 'succeed', parts: PodParts = {}): Step =>
  create('Job', 'j', {
    spec: {
      ...spec,
      template: template({
        labels: { j: 'j' },
        run,
        ...parts,
        spec: { containers: [{ name: 'c', image: 'img:1' }], restartPolicy: 'Never', ...parts.spec },
      }),
    },
  });
const seen = (name: string) => view(name, 'Job', 'Pod');
const only = (name: string) => view(name, 'Job');
const change = (spec: JsonObject) => patch('Job', 'j', { spec });
const act = (what: string, count = 1, sel = 'j=j'): Step => ({ pods: { selector: sel, do: what, count } });
const index = (at: number) => `batch.kubernetes.io/job-completion-index=${at}`;
const failed = until(item('Job', 'j'), 'status.conditions[type=Failed].status==True');
const jobEvents = events({ kinds: ['Job'] });
const rule = (action: string, codes: number[], operator = 'In', more: JsonObject = {}): JsonObject => ({
  action,
  onExitCodes: { operator, values: codes, ...more },
});
const onCondition = (action: string, type: string, status = 'True'): JsonObject => ({
  action,
  onPodConditions: [{ type, status }],
});
const indexed = { completionMode: 'Indexed' };

export const jobScenarios: readonly Scenario[] = [
  scenario('parallel-five', job({ parallelism: 5, completions: 5 }), seen('after'), jobEvents),
  scenario(
    'parallelism-beyond-completions',
    job({ parallelism: 10, completions: 3 }, 'ready'),
    seen('running'),
    act('succeed', 2),
    seen('two'),
    act('succeed', 1),
    seen('three'),
    jobEvents,
  ),
  scenario(
    'parallelism-zero',
    job({ parallelism: 0, completions: 2 }),
    seen('zero'),
    change({ parallelism: 1 }),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'work-queue-two',
    job({ parallelism: 3 }, 'ready'),
    seen('running'),
    act('succeed', 1),
    seen('one done'),
    act('succeed', 2),
    seen('all'),
    jobEvents,
  ),
  scenario(
    'work-queue-one-fails',
    job({ parallelism: 2, backoffLimit: 3 }, 'ready'),
    seen('running'),
    act('succeed', 1),
    seen('one done'),
    act('fail:1', 1),
    seen('failed'),
    jobEvents,
  ),
  scenario(
    'backoff-limit-one-parallel',
    job({ parallelism: 3, completions: 3, backoffLimit: 1 }, 'ready'),
    seen('running'),
    act('fail:1', 2),
    only('after'),
    jobEvents,
  ),
  scenario(
    'never-fails-all-at-once',
    job({ parallelism: 3, completions: 3, backoffLimit: 0 }, 'fail:2'),
    failed,
    only('after'),
  ),
  scenario(
    'indexed-three-running',
    job({ ...indexed, completions: 3, parallelism: 2 }, 'ready'),
    seen('running'),
    act('succeed', 1, index(0)),
    seen('0 done'),
    act('succeed', 1, index(2)),
    seen('2 done'),
    jobEvents,
  ),
  scenario(
    'indexed-many',
    job({ ...indexed, completions: 12, parallelism: 12 }, 'succeed-index:0,1,2,5,7,8,11'),
    only('gaps'),
  ),
  scenario(
    'indexed-failed-index-retried',
    job({ ...indexed, completions: 2, parallelism: 2, backoffLimit: 6 }, 'ready'),
    seen('running'),
    act('fail:1', 1, index(1)),
    only('failed'),
    jobEvents,
  ),
  scenario(
    'indexed-elastic',
    job({ ...indexed, completions: 3, parallelism: 3 }, 'ready'),
    seen('three'),
    change({ completions: 5, parallelism: 5 }),
    seen('five'),
    change({ completions: 2, parallelism: 2 }),
    seen('two'),
    act('succeed', 2),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'indexed-elastic-refused',
    job({ ...indexed, completions: 3, parallelism: 3 }, 'ready'),
    change({ completions: 4 }),
  ),
  scenario(
    'per-index-max-failed',
    job(
      { ...indexed, completions: 5, parallelism: 5, backoffLimitPerIndex: 0, maxFailedIndexes: 1 },
      'fail-index:0,2,3:1',
    ),
    failed,
    only('after'),
    jobEvents,
  ),
  scenario(
    'per-index-some-fail',
    job({ ...indexed, completions: 4, parallelism: 4, backoffLimitPerIndex: 0 }, 'fail-index:1,3:5'),
    failed,
    seen('after'),
    jobEvents,
  ),
  scenario(
    'per-index-all-fail',
    job({ ...indexed, completions: 3, parallelism: 1, backoffLimitPerIndex: 0 }, 'fail:1'),
    failed,
    only('after'),
    jobEvents,
  ),
  scenario(
    'per-index-max-percent',
    job(
      { ...indexed, completions: 4, parallelism: 4, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
      'ready',
    ),
    seen('running'),
    act('fail:1', 1, index(2)),
    only('failed'),
    jobEvents,
  ),
  scenario(
    'per-index-fail-index-rule',
    job(
      {
        ...indexed,
        completions: 3,
        parallelism: 3,
        backoffLimitPerIndex: 3,
        podFailurePolicy: { rules: [rule('FailIndex', [42])] },
      },
      'fail-index:1:42',
    ),
    failed,
    seen('after'),
    jobEvents,
  ),
  scenario(
    'rule-ignore-condition',
    job(
      { backoffLimit: 0, podFailurePolicy: { rules: [onCondition('Ignore', 'DisruptionTarget')] } },
      'ready',
    ),
    seen('running'),
    { req: 'GET /api/v1/namespaces/$ns/pods', name: 'l' },
    {
      req: 'POST /api/v1/namespaces/$ns/pods/$l.items[0].metadata.name/eviction',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: '$l.items[0].metadata.name' } },
    },
    only('after'),
    jobEvents,
  ),
  scenario(
    'rule-fail-job-not-in',
    job({ backoffLimit: 5, podFailurePolicy: { rules: [rule('FailJob', [0, 1, 2], 'NotIn')] } }, 'fail:7'),
    failed,
    seen('after'),
    jobEvents,
  ),
  scenario(
    'rule-container-name',
    job(
      {
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [
            rule('Ignore', [3], 'In', { containerName: 'other' }),
            rule('FailJob', [3], 'In', { containerName: 'c' }),
          ],
        },
      },
      'fail:3',
      {
        spec: {
          containers: [
            { name: 'c', image: 'i' },
            { name: 'other', image: 'i' },
          ],
          restartPolicy: 'Never',
        },
      },
    ),
    failed,
    only('after'),
    jobEvents,
  ),
  scenario(
    'rule-order-count-first',
    job(
      { backoffLimit: 0, podFailurePolicy: { rules: [rule('Count', [3]), rule('FailJob', [3])] } },
      'fail:3',
    ),
    failed,
    only('after'),
    jobEvents,
  ),
  scenario(
    'rule-other-running-terminated',
    job(
      {
        parallelism: 3,
        completions: 3,
        backoffLimit: 5,
        podFailurePolicy: { rules: [rule('FailJob', [9])] },
      },
      'ready',
    ),
    seen('running'),
    act('fail:9', 1),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'success-count',
    job(
      { ...indexed, completions: 4, parallelism: 4, successPolicy: { rules: [{ succeededCount: 2 }] } },
      'succeed-index:1,3',
    ),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'success-count-of-indexes',
    job(
      {
        ...indexed,
        completions: 5,
        parallelism: 5,
        successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 2 }] },
      },
      'succeed-index:0,4',
    ),
    only('not yet'),
    act('succeed', 1, index(2)),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'success-two-rules',
    job(
      {
        ...indexed,
        completions: 4,
        parallelism: 4,
        successPolicy: { rules: [{ succeededIndexes: '0,1' }, { succeededIndexes: '3' }] },
      },
      'succeed-index:3',
    ),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'success-all-done',
    job({
      ...indexed,
      completions: 2,
      parallelism: 2,
      successPolicy: { rules: [{ succeededIndexes: '1' }] },
    }),
    only('after'),
    jobEvents,
  ),
  scenario(
    'success-lingering',
    job(
      { ...indexed, completions: 3, parallelism: 3, successPolicy: { rules: [{ succeededIndexes: '0' }] } },
      'succeed-index:0;linger',
    ),
    seen('waiting'),
    { pods: { selector: 'j=j', do: 'finalise', count: 2, terminating: true, any: true } },
    seen('after'),
    jobEvents,
  ),
  scenario(
    'deadline-lingering',
    job({ activeDeadlineSeconds: 2, parallelism: 2, completions: 2 }, 'ready;linger'),
    wait(2500),
    seen('late'),
    { pods: { selector: 'j=j', do: 'finalise', count: 2, terminating: true, any: true } },
    seen('after'),
    jobEvents,
  ),
  scenario(
    'deadline-lowered',
    job({ activeDeadlineSeconds: 600 }, 'ready'),
    seen('running'),
    change({ activeDeadlineSeconds: 1 }),
    wait(1500),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'deadline-suspended',
    job({ activeDeadlineSeconds: 2, suspend: true }, 'ready'),
    wait(2500),
    seen('suspended'),
    change({ suspend: false }),
    wait(3000),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'created-suspended',
    job({ suspend: true, parallelism: 2, completions: 2 }),
    seen('suspended'),
    change({ suspend: false }),
    seen('resumed'),
    jobEvents,
  ),
  scenario(
    'suspended-while-running',
    job({ parallelism: 2, completions: 3 }, 'ready'),
    seen('running'),
    act('succeed', 1),
    change({ suspend: true }),
    seen('suspended'),
    change({ suspend: false }),
    seen('resumed'),
    jobEvents,
  ),
  scenario(
    'suspended-template-changed',
    job({ suspend: true }),
    change({ template: { spec: { nodeSelector: { 'kubernetes.io/os': 'linux' } } } }),
    seen('changed'),
    change({ suspend: false }),
    seen('after'),
  ),
  scenario('ttl-zero', job({ ttlSecondsAfterFinished: 0 }), wait(1500), seen('after')),
  scenario(
    'ttl-set-later',
    job({}),
    seen('done'),
    change({ ttlSecondsAfterFinished: 1 }),
    wait(1500),
    seen('after'),
  ),
  scenario(
    'ttl-of-failed',
    job({ ttlSecondsAfterFinished: 1, backoffLimit: 0 }, 'fail:1'),
    wait(3000),
    seen('after'),
    jobEvents,
  ),
  scenario(
    'replacement-terminating-or-failed',
    job({ parallelism: 1, podReplacementPolicy: 'TerminatingOrFailed' }, 'ready;linger'),
    seen('running'),
    act('delete', 1),
    seen('replaced'),
    jobEvents,
  ),
  scenario(
    'replacement-failed-suspended',
    job({ parallelism: 2, completions: 2, podReplacementPolicy: 'Failed' }, 'ready;linger'),
    seen('running'),
    change({ suspend: true }),
    seen('suspended'),
    { pods: { selector: 'j=j', do: 'finalise', count: 2, terminating: true, any: true } },
    seen('stopped'),
    change({ suspend: false }),
    seen('resumed'),
    jobEvents,
  ),
  scenario(
    'foreground',
    job({ parallelism: 2, completions: 2 }, 'ready'),
    seen('running'),
    remove('Job', 'j', { propagationPolicy: 'Foreground' }),
    seen('after'),
  ),
  scenario(
    'deleted-while-lingering',
    job({}, 'ready;linger'),
    seen('running'),
    remove('Job', 'j', { propagationPolicy: 'Background' }),
    seen('after'),
  ),
  scenario(
    'own-selector',
    create('Job', 'j', {
      spec: {
        manualSelector: true,
        selector: { matchLabels: { j: 'x' } },
        template: template({
          labels: { j: 'x' },
          run: 'succeed',
          spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
        }),
      },
    }),
    seen('after'),
  ),
  scenario(
    'on-failure-policy',
    job({ backoffLimit: 2 }, 'ready', { spec: { restartPolicy: 'OnFailure' } }),
    seen('running'),
    act('fail:1', 1),
    seen('failed'),
    jobEvents,
  ),
  scenario(
    'quota',
    create('ResourceQuota', 'q', { spec: { hard: { pods: '1' } } }),
    wait(800),
    job({ parallelism: 2, completions: 2 }, 'ready'),
    only('after'),
    jobEvents,
  ),
  scenario(
    'missing-service-account',
    job({}, 'ready', { spec: { serviceAccountName: 'none' } }),
    seen('after'),
    jobEvents,
  ),
  scenario('managed-by-itself', job({ managedBy: 'kubernetes.io/job-controller' }), seen('after')),
  scenario(
    'pod-adopted',
    create('Job', 'j', {
      spec: {
        suspend: true,
        manualSelector: true,
        selector: { matchLabels: { j: 'x' } },
        template: template({
          labels: { j: 'x' },
          spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
        }),
      },
    }),
    pod('free', { labels: { j: 'x' }, run: 'ready' }),
    seen('adopted'),
  ),
  scenario(
    'orphan-finalizers',
    job({ parallelism: 2, completions: 2 }, 'ready'),
    seen('running'),
    remove('Job', 'j', { propagationPolicy: 'Orphan' }),
    seen('orphans'),
    act('succeed', 2),
    seen('done'),
  ),
  scenario(
    'owner-label-copied',
    create('Job', 'j', {
      metadata: { labels: { a: 'b' }, annotations: { x: 'y' } },
      spec: {
        template: template({
          run: 'succeed',
          labels: { z: '1' },
          metadata: { annotations: { 'sim/run': 'succeed', p: 'q' } },
          spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
        }),
      },
    }),
    seen('after'),
  ),
  scenario(
    'failed-then-policy-message',
    job(
      {
        backoffLimit: 0,
        podFailurePolicy: { rules: [rule('Count', [1]), onCondition('FailJob', 'ConfigIssue')] },
      },
      'fail:4',
    ),
    failed,
    only('after'),
    jobEvents,
  ),
];
