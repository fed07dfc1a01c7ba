import { expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { configMap } from './fixtures.ts';

test('the past is dropped in the time of the cluster', async () => {
  await using cluster = await createCluster({ nodes: 0, controllers: false, scheduler: false });
  const [before] = await cluster.apply(configMap('before'));
  const configMaps = cluster.client.resource('v1', 'configmaps').namespace('default');
  const asBefore = () =>
    configMaps.list({ resourceVersion: before!.metadata.resourceVersion!, resourceVersionMatch: 'Exact' });
  await cluster.apply(configMap('after'));

  await cluster.clock.advance('4m');
  expect((await asBefore()).items.map((item) => item.metadata.name)).toEqual(['before']);
  await cluster.clock.advance('5m');
  await expect(asBefore()).rejects.toMatchObject({ code: 410, reason: 'Expired' });
});
