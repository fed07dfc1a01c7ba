import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { startCluster, type Cluster } from '../cluster/cluster.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 0, controllers: [], scheduler: false, servesMetrics: true });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { zone: 'a' } } };
  await cluster.client().resource('v1', 'nodes').create(node);
  await runs('busy', 'n1', { 'sim.coxswain.io/usage': 'cpu=250m,memory=64Mi' });
  await runs('idle', 'n1', {});
});

afterAll(() => cluster.stop());

async function runs(
  name: string,
  nodeName: string,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  const pods = cluster.client().resource('v1', 'pods').namespace('default');
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, annotations },
    spec: { nodeName, serviceAccountName: 'none', containers: [{ name: 'c', image: 'i' }] },
  };
  const accounts = cluster.client().resource('v1', 'serviceaccounts').namespace('default');
  await accounts
    .create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'none' } })
    .catch(() => undefined);
  const created = await pods.create(pod as unknown as KubeObject);
  await pods.updateStatus({ ...created, status: { phase: 'Running' } } as unknown as KubeObject);
}

const metrics = (resource: string) => cluster.client().resource('metrics.k8s.io/v1beta1', resource);

test('a pod is measured by what its annotation says, and is found by its labels', async () => {
  const pods = metrics('pods').namespace('default');
  const { items } = await pods.list({ labelSelector: 'app=busy' });

  expect(items).toMatchObject([
    {
      metadata: { name: 'busy', labels: { app: 'busy' } },
      window: '30s',
      containers: [{ name: 'c', usage: { cpu: '250m', memory: '64Mi' } }],
    },
  ]);
  expect((await pods.list()).items).toHaveLength(2);
});

test('a node uses what its pods use', async () => {
  expect(await metrics('nodes').get('n1')).toMatchObject({ usage: { cpu: '251m', memory: '65Mi' } });
});

test('pods that are not running are not measured', async () => {
  await expect(metrics('pods').namespace('default').get('nobody')).rejects.toThrow(
    'pods.metrics.k8s.io "nobody" not found',
  );
});
