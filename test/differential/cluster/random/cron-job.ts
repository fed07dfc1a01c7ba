/** A CronJob that is not due, with jobs of its own and of others at random: what is counted, kept and removed. */
import type { Choices } from '../choices.ts';
import type { JsonObject, Step, Story } from '../scenario.ts';
import { create, events, item, patch, remove, template, view } from '../scenarios/building.ts';

const runs = ['succeed', 'succeed', 'fail:1', 'ready', 'ready;linger'];
const propagationPolicies = ['Foreground', 'Background', 'Orphan'];

export function cronJobStory(choose: Choices): Story {
  const limits = (): JsonObject => ({
    ...choose.maybe(0.7, () => ({ successfulJobsHistoryLimit: choose.whole(0, 2) })),
    ...choose.maybe(0.7, () => ({ failedJobsHistoryLimit: choose.whole(0, 2) })),
  });
  const jobSpec = (run: string): JsonObject => ({
    backoffLimit: 0,
    template: template({
      run,
      labels: { c: 'c' },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'img:1' }] },
    }),
  });
  const spec: JsonObject = {
    schedule: choose.one(['0 0 1 1 *', '@yearly', '0 0 29 2 *']),
    concurrencyPolicy: choose.one(['Allow', 'Forbid', 'Replace']),
    ...limits(),
    ...choose.maybe(0.3, () => ({ suspend: true })),
    ...choose.maybe(0.3, () => ({ timeZone: choose.one(['Etc/UTC', 'Asia/Kolkata']) })),
    ...choose.maybe(0.3, () => ({ startingDeadlineSeconds: choose.whole(1, 300) })),
    jobTemplate: { spec: jobSpec('succeed') },
  };
  let made = 0;
  // Older ones go first, so no two start in the same second.
  const job = (): Step[] => {
    const controller = choose.chance(0.85);
    const owner = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      name: 'tick',
      uid: '$cron.metadata.uid',
      controller,
    };
    return [
      create('Job', `j${made++}`, {
        metadata: {
          ...choose.maybe(0.9, () => ({ ownerReferences: [owner] })),
          ...choose.maybe(0.2, () => ({ finalizers: ['example.com/hold'] })),
        },
        spec: { ...jobSpec(choose.one(runs)), ...choose.maybe(0.2, () => ({ suspend: true })) },
      }),
      { wait: 1100 },
    ];
  };
  const any = (): string => `j${choose.whole(0, Math.max(0, made - 1))}`;
  const happens: readonly (() => Step[])[] = [
    job,
    job,
    () => [patch('CronJob', 'tick', { spec: limits() })],
    () => [patch('CronJob', 'tick', { spec: { suspend: choose.chance(0.5) } })],
    () => [
      patch('CronJob', 'tick', { spec: { schedule: choose.one(['@monthly', 'TZ=UTC 0 0 1 1 *', 'x']) } }),
    ],
    () => [patch('Job', any(), { metadata: { ownerReferences: null } })],
    () => [patch('Job', any(), { metadata: { finalizers: null } })],
    () => [remove('Job', any(), { propagationPolicy: choose.one(propagationPolicies) })],
    () => [remove('CronJob', 'tick', { propagationPolicy: choose.one(propagationPolicies) })],
    () => [
      {
        pods: { selector: 'c=c', do: choose.one(['succeed', 'fail:1', 'delete']), count: 1, optional: true },
      },
    ],
  ];
  const looks = (at: number): Step => view(`after-${at}`, 'CronJob', 'Job', 'Pod');
  return {
    steps: [
      create('CronJob', 'tick', { spec }, { full: true }),
      { name: 'cron', req: `GET ${item('CronJob', 'tick')}` },
      ...choose.times(2, 4, job).flat(),
      looks(0),
      ...choose.times(1, 4, (at) => [...choose.one(happens)(), looks(at + 1)]).flat(),
      events(),
    ],
  };
}
