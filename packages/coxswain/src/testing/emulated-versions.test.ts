import type { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createCluster } from './index.ts';

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}], hostnameOverride: shop}
`;

test.each([
  ['1.33', undefined],
  ['1.34', undefined],
  ['1.35', 'shop'],
  ['1.36', 'shop'],
])('a cluster of %s works, with the fields and the version of then', async (version, hostname) => {
  const lines: string[] = [];
  const cluster = await createCluster({ version, log: (line) => lines.push(line) });
  onTestFinished(() => cluster.stop());

  await cluster.apply(web);
  await cluster.idle();

  const deployments = cluster.client.resource<Deployment>({
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
  });
  const { status } = await deployments.namespace('default').get('web');
  expect(status?.readyReplicas).toBe(2);
  const pods = cluster.client.resource<Pod>({ group: '', version: 'v1', resource: 'pods' });
  const { items } = await pods.namespace('default').list();
  expect(items.map(({ spec }) => spec?.hostnameOverride)).toEqual([hostname, hostname]);
  expect(lines).toEqual([]);
});

test('a version that cannot be is refused', async () => {
  await expect(createCluster({ version: '1.32' })).rejects.toThrow(
    'emulation version 1.32 is not between [1.33, 1.36.0]',
  );
});
