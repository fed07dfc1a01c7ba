/** A cluster with a shop in it whose story is always the same: some of it is well, and some is not, each in its own way. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCluster } from 'coxswain/testing';
import type { ClusterView, TestCluster } from '../../packages/coxswain/src/testing/test-cluster.ts';

const manifests = path.join(import.meta.dirname, 'shop.yaml');

const banner = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'banner', namespace: 'shop' },
  data: { text: 'Sale' },
};

const node = (name: string) => ({ name, capacity: { cpu: '4', memory: '16Gi', pods: '40' } });

/** In virtual time, from a seed: every name, time and version in it is the same in every run. */
export async function createShop(): Promise<TestCluster> {
  const cluster = await createCluster({ nodes: ['alder', 'birch', 'cedar', 'douglas'].map(node), seed: 21 });
  await cluster.apply(await readFile(manifests, 'utf8'));
  await cluster.clock.advance('90s');
  await releaseBrokenCheckout(person(cluster, 'ci'));
  await cluster.clock.advance('70s');
  const configMaps = person(cluster, 'heidi').client.resource('v1', 'configmaps').namespace('shop');
  await configMaps.patch(
    'storefront',
    { data: { THEME: 'spring' } },
    { type: 'merge', fieldManager: 'kubectl-edit' },
  );
  await person(cluster, 'heidi').apply(banner);
  await cluster.clock.advance('15s');
  await configMaps.delete('banner');
  await cluster.clock.advance('65s');
  await cluster.idle();
  return cluster;
}

/** Someone who may do everything, and is known by name. */
export const person = (cluster: TestCluster, name: string): ClusterView =>
  cluster.as({ name, groups: ['system:masters'] });

/** An image that there is not. */
async function releaseBrokenCheckout({ client }: ClusterView): Promise<void> {
  const containers = [{ name: 'checkout', image: 'registry.example.test/shop/checkout:nonexistent' }];
  await client
    .resource('apps/v1', 'deployments')
    .namespace('shop')
    .patch('checkout', { spec: { template: { spec: { containers } } } }, { fieldManager: 'ci' });
}
