import type { JsonObject, Scenario, Step } from '../scenario.ts';
import { create, events, item, patch, remove, scenario, template, view, wait } from './building.ts';

const jobTemplate = (spec: JsonObject = {}, run = 'succeed', metadata: JsonObject = {}): JsonObject => ({
  metadata,
  spec: {
    ...spec,
    template: template({
      run,
      labels: { c: 'c' },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'img:1' }] },
    }),
  },
});
const cron = (spec: JsonObject, metadata: JsonObject = {}): Step =>
  create('CronJob', 'tick', {
    metadata,
    spec: { schedule: '0 0 1 1 *', jobTemplate: jobTemplate(), ...spec },
  });
const seen = (name: string) => view(name, 'CronJob', 'Job');
const owned = (name: string, run: string): Step =>
  create('Job', name, {
    metadata: {
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: 'tick',
          uid: '$cron.metadata.uid',
          controller: true,
        },
      ],
    },
    spec: jobTemplate({ backoffLimit: 0 }, run)['spec'],
  });
const getCron: Step = { name: 'cron', req: `GET ${item('CronJob', 'tick')}` };
const everyMinute = { schedule: '* * * * *' };
const untilJob: Step = {
  settle: { until: [{ get: '/apis/batch/v1/namespaces/$ns/jobs', where: 'items.#>=1' }], timeoutMs: 75_000 },
};

export const cronjobScenarios: readonly Scenario[] = [
  scenario('time-zone', cron({ timeZone: 'Europe/Berlin' }), seen('after'), events()),
  scenario('time-zone-unknown', cron({ timeZone: 'Nowhere/Land' }), seen('after')),
  scenario('time-zone-in-schedule', cron({ schedule: 'TZ=UTC 0 0 1 1 *' }), seen('after')),
  scenario('schedule-invalid', cron({ schedule: '99 * * * *' }), seen('after')),
  scenario('every-descriptor', cron({ schedule: '@yearly' }), seen('after'), events()),
  scenario('every-hundred-hours', cron({ schedule: '@every 100h' }), seen('after'), events()),
  scenario('never-comes', cron({ schedule: '0 0 30 2 *' }), seen('after'), events()),
  scenario(
    'rescheduled',
    cron({}),
    wait(61_000),
    patch('CronJob', 'tick', { spec: everyMinute }),
    seen('before-its-time'),
    events(),
  ),
  scenario(
    'suspended-then-resumed',
    cron({ suspend: true }),
    seen('suspended'),
    patch('CronJob', 'tick', { spec: { suspend: false } }),
    seen('resumed'),
    events(),
  ),
  scenario(
    'history-limits-two-one',
    cron({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }),
    getCron,
    owned('a', 'succeed'),
    owned('b', 'succeed'),
    owned('c', 'fail:1'),
    owned('d', 'fail:1'),
    wait(11_000),
    seen('after'),
    events({ kinds: ['CronJob'], reasons: ['UnexpectedJob'] }),
  ),
  scenario(
    'history-limits-zero',
    cron({ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }),
    getCron,
    owned('a', 'succeed'),
    owned('c', 'fail:1'),
    wait(4000),
    seen('after'),
    events(),
  ),
  scenario(
    'foreign-active-job',
    cron({}),
    getCron,
    owned('a', 'ready'),
    seen('running'),
    { pods: { selector: 'c=c', do: 'succeed' } },
    seen('done'),
    events(),
  ),
  scenario(
    'orphaned',
    cron({}),
    getCron,
    owned('a', 'ready'),
    seen('running'),
    remove('CronJob', 'tick', { propagationPolicy: 'Orphan' }),
    seen('after'),
  ),
  scenario(
    'foreground',
    cron({}),
    getCron,
    owned('a', 'ready'),
    seen('running'),
    remove('CronJob', 'tick', { propagationPolicy: 'Foreground' }),
    seen('after'),
  ),
  scenario(
    'every-minute-allow',
    cron({
      ...everyMinute,
      jobTemplate: jobTemplate({ backoffLimit: 1 }, 'ready', { labels: { l: 'x' }, annotations: { a: 'y' } }),
    }),
    untilJob,
    seen('started'),
    { pods: { selector: 'c=c', do: 'succeed' } },
    seen('done'),
    events(),
  ),
  scenario(
    'every-minute-replace',
    cron({ ...everyMinute, concurrencyPolicy: 'Replace', jobTemplate: jobTemplate({}, 'ready') }),
    untilJob,
    seen('started'),
    {
      settle: {
        until: [
          { get: '/apis/batch/v1/namespaces/$ns/events', where: 'gone' },
          {
            get: '/api/v1/namespaces/$ns/events?fieldSelector=reason=SuccessfulDelete,involvedObject.kind=CronJob',
            where: 'items.#>=1',
          },
        ],
        timeoutMs: 75_000,
      },
    },
    wait(1500),
    seen('replaced'),
    events({ kinds: ['CronJob'] }),
  ),
  scenario(
    'active-job-deleted',
    cron({ ...everyMinute, jobTemplate: jobTemplate({}, 'ready'), concurrencyPolicy: 'Forbid' }),
    untilJob,
    { req: 'DELETE /apis/batch/v1/namespaces/$ns/jobs?propagationPolicy=Background' },
    patch('CronJob', 'tick', { spec: { suspend: true } }),
    seen('after'),
    events({ kinds: ['CronJob'] }),
  ),
  scenario(
    'starting-deadline-passed',
    cron({ ...everyMinute, startingDeadlineSeconds: 600, suspend: true }),
    seen('suspended'),
    patch('CronJob', 'tick', { spec: { schedule: '0 0 1 1 *', suspend: false } }),
    seen('after'),
    events(),
  ),
  scenario(
    'quota-refuses-job',
    create('ResourceQuota', 'q', { spec: { hard: { 'count/jobs.batch': '0' } } }),
    cron(everyMinute),
    {
      settle: {
        until: [
          {
            get: '/api/v1/namespaces/$ns/events?fieldSelector=involvedObject.kind=CronJob',
            where: 'items.#>=1',
          },
        ],
        timeoutMs: 75_000,
      },
    },
    seen('after'),
    events(),
  ),
  scenario(
    'invalid-template-job',
    cron({
      ...everyMinute,
      jobTemplate: jobTemplate({}, 'ready', {
        annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': 'mine' },
      }),
    }),
    untilJob,
    seen('after'),
    events({ kinds: ['CronJob'] }),
  ),
];
