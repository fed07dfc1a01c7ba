import { createCluster } from 'coxswain/testing';
import { expect, test } from 'vitest';

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
};

test('an exported cluster continues elsewhere with its objects, nodes and time', async () => {
  await using one = await createCluster({ nodes: 2, seed: 1 });
  await one.apply(web);
  await one.clock.advance('2h');
  const bytes = await one.export();

  await using other = await createCluster({ from: bytes, seed: 1 });
  expect(other.nodes.names).toEqual(one.nodes.names);
  expect(one.clock.now() - other.clock.now()).toBeLessThan(60_000);
  const pods = async (cluster: typeof one) => {
    const { items } = await cluster.client.resource('v1', 'pods').list();
    return items.map(({ metadata }) => metadata.uid).toSorted();
  };
  expect(await pods(other)).toEqual(await pods(one));

  await other.apply({ ...web, spec: { ...web.spec, replicas: 4 } });
  await other.idle();
  const deployments = other.client.resource('apps/v1', 'deployments').namespace('default');
  expect(await deployments.get('web')).toMatchObject({ status: { readyReplicas: 4 } });
  expect(new Set(await pods(other)).size).toBe(4);
});

test('a file that is none, or is damaged, is refused', async () => {
  await using cluster = await createCluster();
  const bytes = await cluster.export();
  bytes[bytes.length >> 1]! ^= 1;
  await expect(createCluster({ from: bytes })).rejects.toThrow('from: the file is not the snapshot');
  await expect(createCluster({ from: new Uint8Array(3) })).rejects.toThrow('from: the file is not');
  await expect(createCluster({ from: 'x' as never })).rejects.toThrow('cluster.export()');
});
