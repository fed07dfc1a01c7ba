import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({ nodes: 1, seed: 1 });
});
afterAll(() => cluster.stop());

test('a pod of two budgets is warned of, and counts in both', async () => {
  const selector = { matchLabels: { app: 'web' } };
  for (const name of ['a', 'b'])
    await cluster.apply({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1, selector },
    });
  await cluster.apply({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector,
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
    },
  });
  await cluster.clock.advance('5s');

  const budgets = await cluster.client
    .resource<KubeObject & { status?: { currentHealthy?: number } }>('policy/v1', 'poddisruptionbudgets')
    .namespace('default')
    .list();
  expect(budgets.items.map(({ status }) => status?.currentHealthy)).toEqual([1, 1]);
  const events = await cluster.client
    .resource<KubeObject & { reason: string; message: string }>('v1', 'events')
    .namespace('default')
    .list();
  expect(events.items.find(({ reason }) => reason === 'MultiplePodDisruptionBudgets')?.message).toMatch(
    /^Pod "default"\/"web-\w+" matches multiple PodDisruptionBudgets\. {2}Chose "[ab]" arbitrarily\.$/,
  );
});
