/** Workloads adopt orphaned objects that match their selector. */
import { expect, test } from 'vitest';
import { createCluster } from '../testing/index.ts';

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };
const matching = { selector: { matchLabels: labels }, template };

test.each([
  [
    'pods',
    'ReplicaSet',
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels }, spec: template.spec },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web' },
      spec: { replicas: 1, ...matching },
    },
  ],
  [
    'replicasets',
    'Deployment',
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', labels },
      spec: { replicas: 1, ...matching },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 1, ...matching },
    },
  ],
] as const)('%s without an owner are adopted by a %s', async (resource, kind, orphan, owner) => {
  await using cluster = await createCluster({ nodes: 1 });
  await cluster.apply(orphan);
  await cluster.idle();
  await cluster.apply(owner);
  await cluster.idle();

  const objects = cluster.client.resource(orphan.apiVersion, resource).namespace('default');
  const { metadata } = await objects.get('web');
  expect(metadata.ownerReferences).toMatchObject([{ kind, name: 'web', controller: true }]);
});
