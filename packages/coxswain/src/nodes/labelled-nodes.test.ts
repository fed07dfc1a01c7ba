import { expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { web } from '../testing/fixtures.ts';
import { createCluster } from '../testing/create-cluster.ts';
import { assertEventuallyHas } from '../testing/matchers/assertions.ts';

const labelled = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'edge', labels: { 'sim.coxswain.io/node': 'simulated', zone: 'a' } },
  status: { capacity: { cpu: '2', memory: '4Gi', pods: '5' } },
};

test('a Node with the label is looked after, and runs pods, until it is deleted', async () => {
  await using cluster = await createCluster({ nodes: 0, seed: 1 });
  const nodes = cluster.client.resource<KubeObject & { status: { capacity: object } }>('v1', 'nodes');
  await nodes.create(labelled);
  await cluster.apply(web(3));
  await assertEventuallyHas(cluster, 'deployment/web', { status: { availableReplicas: 3 } });

  expect((await nodes.get('edge')).status.capacity).toMatchObject({ cpu: '2', pods: '5' });
  expect(cluster.nodes.names).toEqual(['edge']);
  await cluster.clock.advance('5m');
  expect((await nodes.get('edge')).metadata.labels).toMatchObject({ zone: 'a' });

  await nodes.delete('edge');
  await cluster.idle();
  expect(cluster.nodes.names).toEqual([]);
});

test('a label turns the machine of a node off, and its pods are replaced elsewhere', async () => {
  await using cluster = await createCluster({ nodes: 2, seed: 1 });
  await cluster.apply(web(2));
  await assertEventuallyHas(cluster, 'deployment/web', { status: { availableReplicas: 2 } });
  const nodes = cluster.client.resource('v1', 'nodes');
  const isReady = async () => {
    const { status } = (await nodes.get('node-0')) as {
      status?: { conditions?: { type: string; status: string }[] };
    };
    return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  };
  await nodes.patch('node-0', { metadata: { labels: { 'sim.coxswain.io/node': 'stopped' } } });
  await cluster.clock.advance('1m');
  expect(await isReady()).toBe('Unknown');
  await cluster.clock.advance('6m');
  await assertEventuallyHas(cluster, 'deployment/web', { status: { availableReplicas: 2 } });

  await nodes.patch('node-0', { metadata: { labels: { 'sim.coxswain.io/node': null } } });
  await cluster.clock.advance('1m');
  expect(await isReady()).toBe('True');
});

test('the label may come and go, and a reset brings such nodes back', async () => {
  await using cluster = await createCluster({ nodes: 1, seed: 1 });
  const nodes = cluster.client.resource('v1', 'nodes');
  const { labels, ...metadata } = labelled.metadata;
  await nodes.create({ ...labelled, metadata });
  await cluster.idle();
  expect(cluster.nodes.names).toEqual(['node-0']);

  await nodes.patch('edge', { metadata: { labels } });
  await cluster.idle();
  expect(cluster.nodes.names).toEqual(['node-0', 'edge']);
  const snapshot = cluster.snapshot();

  await nodes.patch('edge', { metadata: { labels: { 'sim.coxswain.io/node': null } } });
  await cluster.idle();
  expect(cluster.nodes.names).toEqual(['node-0']);

  await cluster.reset(snapshot);
  expect(cluster.nodes.names.toSorted()).toEqual(['edge', 'node-0']);
  await cluster.reset();
  expect(cluster.nodes.names).toEqual(['node-0']);
  await cluster.components.restart('kubelets');
  await nodes.create(labelled);
  await cluster.idle();
  expect(cluster.nodes.names).toEqual(['node-0', 'edge']);
});
