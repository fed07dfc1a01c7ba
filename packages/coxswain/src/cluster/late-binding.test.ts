/** Claims that are bound to volumes once the node of their first pod is known. */
import { expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { createCluster } from '../testing/index.ts';

const selectedNode = 'volume.kubernetes.io/selected-node';

const lateClass = (provisioner: string) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'late' },
  provisioner,
  volumeBindingMode: 'WaitForFirstConsumer',
});

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteMany'],
    storageClassName: 'late',
    resources: { requests: { storage: '1Gi' } },
  },
};

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: [{ name: 'main', image: 'main' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  },
});

const volumeOn = (name: string, node: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteMany'],
    storageClassName: 'late',
    local: { path: '/data' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] },
        ],
      },
    },
  },
});

test('pods that share a claim and start together get one volume between them', async () => {
  await using cluster = await createCluster({ nodes: 2 });
  const nodes = await cluster.client.resource('v1', 'nodes').list();
  const [first, second] = nodes.items.map(({ metadata }) => metadata.name ?? '');
  const objects = [
    lateClass('kubernetes.io/no-provisioner'),
    volumeOn('v1', first!),
    volumeOn('v2', second!),
    claim,
  ];
  for (const object of objects) await cluster.apply(object);
  await cluster.idle();
  await Promise.all(['a', 'b', 'c'].map((name) => cluster.apply(pod(name))));
  await cluster.clock.advance('1m');

  const volumes = cluster.client.resource<KubeObject & { status: { phase: string } }>(
    'v1',
    'persistentvolumes',
  );
  const phases = (await volumes.list()).items.map(({ status }) => status.phase);
  expect(phases.sort()).toEqual(['Available', 'Bound']);
  const pods = cluster.client.resource<KubeObject & { spec: { nodeName?: string } }>('v1', 'pods');
  const { items } = await pods.namespace('default').list();
  const places = new Set(items.map(({ spec }) => spec.nodeName));
  expect([places.size, places.has(undefined)]).toEqual([1, false]);
});

test('a pod is scheduled again when the provisioner gives up on its node', async () => {
  await using cluster = await createCluster({ nodes: 1 });
  for (const object of [lateClass('disk.example.com'), claim, pod('a')]) await cluster.apply(object);
  const claims = cluster.client.resource('v1', 'persistentvolumeclaims').namespace('default');
  const selected = async () => (await claims.get('data')).metadata.annotations?.[selectedNode];
  await cluster.eventually(async () => (await selected()) !== undefined);

  await claims.patch('data', { metadata: { annotations: { [selectedNode]: null } } });
  const events = cluster.client
    .resource<KubeObject & { message?: string }>('v1', 'events')
    .namespace('default');
  await cluster.eventually(async () =>
    (await events.list()).items.some(({ message }) =>
      message?.includes('binding volumes: provisioning failed for PVC "data"'),
    ),
  );
  await cluster.eventually(async () => (await selected()) !== undefined);
});
