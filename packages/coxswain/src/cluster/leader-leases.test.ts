import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { startCluster } from './cluster.ts';

interface Lease extends KubeObject {
  readonly spec?: { readonly holderIdentity?: string };
}

test('with leader election, each part of the cluster holds its lease, and records an event about it', async () => {
  const cluster = await startCluster({ nodes: 0, controllers: [], leaderElection: true });
  const leases = cluster
    .client()
    .resource<Lease>('coordination.k8s.io/v1', 'leases')
    .namespace('kube-system');
  const events = cluster.client().resource<KubeObject>('v1', 'events').namespace('kube-system');
  const ask = async () => ({
    held: (await leases.list()).items
      .filter(({ spec }) => spec?.holderIdentity)
      .map(({ metadata }) => metadata.name),
    reported: (await events.list()).items.length,
  });

  await expect
    .poll(ask)
    .toEqual({ held: expect.arrayContaining(['kube-controller-manager', 'kube-scheduler']), reported: 2 });
  await cluster.stop();
});

test('without it there are no such leases', async () => {
  const cluster = await startCluster({ nodes: 0, controllers: [] });
  const { items } = await cluster
    .client()
    .resource<Lease>('coordination.k8s.io/v1', 'leases')
    .namespace('kube-system')
    .list();

  expect(items.map(({ metadata }) => metadata.name)).not.toContain('kube-scheduler');
  await cluster.stop();
});
