import { expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { createCluster } from './create-cluster.ts';

test('a new schedule waits for its next time, and does not make up for those before', async () => {
  await using cluster = await createCluster({ nodes: 1 });
  const container = { name: 'c', image: 'busybox', command: ['true'] };
  const podSpec = { restartPolicy: 'Never', containers: [container] };
  await cluster.apply({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: { spec: podSpec } } } },
  });
  const jobs = async () => (await cluster.client.resource('batch/v1', 'jobs').list()).items.length;
  await cluster.clock.advance('5m');
  await cluster.idle();

  await cluster.client
    .resource('batch/v1', 'cronjobs')
    .namespace('default')
    .patch('tick', { spec: { schedule: '* * * * *' } } as Partial<KubeObject>, { type: 'merge' });
  await cluster.idle();
  expect(await jobs()).toBe(0);

  await cluster.clock.advance('61s');
  await cluster.idle();
  expect(await jobs()).toBe(1);
});
