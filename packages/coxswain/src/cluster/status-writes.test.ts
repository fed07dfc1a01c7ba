/** Checks each write of a controller to a status: no write with older knowledge reverts a newer one. */
import { expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { createCluster } from '../testing/index.ts';

interface Status {
  readonly observedGeneration?: number;
  readonly conditions?: readonly { readonly type: string }[];
}

const podTemplate = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image }] },
});

const workload = (kind: string, image: string, more: object) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: podTemplate(image), ...more },
});

test.each([
  ['Deployment', 'deployments', { replicas: 2 }, { replicas: 4 }],
  ['StatefulSet', 'statefulsets', { replicas: 2, serviceName: 'web' }, { replicas: 3, serviceName: 'web' }],
  ['DaemonSet', 'daemonsets', {}, { minReadySeconds: 1 }],
] as const)('the status of a %s only gets newer', async (kind, resource, first, second) => {
  await using cluster = await createCluster({ nodes: 2 });
  const statuses: Status[] = [];
  const stop = new AbortController();
  const objects = cluster.client.resource<KubeObject & { status?: Status }>('apps/v1', resource);
  const seen = (async () => {
    for await (const { object } of objects.namespace('default').watch({ signal: stop.signal }))
      if (object.status !== undefined) statuses.push(object.status);
  })().catch(() => undefined);

  for (const [image, more] of [
    ['a', first],
    ['a', second],
    ['b', second],
    ['b', first],
  ] as const) {
    await cluster.apply(workload(kind, image, more));
    await cluster.idle();
  }
  stop.abort();
  await seen;

  expect(statuses.length).toBeGreaterThan(4);
  statuses.slice(1).forEach((status, index) => {
    const before = statuses[index]!;
    expect(status.observedGeneration ?? 0).toBeGreaterThanOrEqual(before.observedGeneration ?? 0);
    const types = (status.conditions ?? []).map(({ type }) => type);
    for (const { type } of before.conditions ?? []) expect(types).toContain(type);
  });
});
