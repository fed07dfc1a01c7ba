/** Clusters that are reset again and again do not grow. */
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { configMap } from './fixtures.ts';
import type { TestCluster } from './test-cluster.ts';

const resets = async (cluster: TestCluster, count: number): Promise<void> => {
  for (let reset = 0; reset < count; reset++) {
    await cluster.apply(configMap('changed'));
    await cluster.reset();
  }
};

/** All that is left after a garbage collection, and a turn in which finalizers run. */
async function liveObjects(): Promise<number> {
  queryObjects(Object, { format: 'count' });
  await new Promise((resolve) => void setImmediate(resolve));
  return queryObjects(Object, { format: 'count' });
}

test('resets leave nothing behind', { timeout: 60_000 }, async () => {
  await using cluster = await createCluster({ nodes: 2, seed: 1 });
  await resets(cluster, 20);
  const before = await liveObjects();
  await resets(cluster, 20);
  const grown = (await liveObjects()) - before;
  // A single observer that stays would be 20.
  expect(grown).toBeLessThan(20);
});

test('a history begins anew with a reset', async () => {
  await using cluster = await createCluster({ nodes: 1, seed: 1 });
  await cluster.apply(configMap('before'));
  await cluster.reset();
  await cluster.apply(configMap('after'));
  const lines = (await cluster.history.lines()).join('\n');
  expect(lines).toContain('/registry/configmaps/default/after');
  expect(lines).not.toContain('/registry/configmaps/default/before');
  expect(await cluster.history.digest()).toMatch(/^[0-9a-f]{64}$/);
});
