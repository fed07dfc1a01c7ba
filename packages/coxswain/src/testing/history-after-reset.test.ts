import { expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { configMap } from './fixtures.ts';

test('a reset restarts the history', async () => {
  await using cluster = await createCluster({ nodes: 1, seed: 1 });
  await cluster.apply(configMap('before'));
  await cluster.reset();
  await cluster.apply(configMap('after'));
  const lines = (await cluster.history.lines()).join('\n');
  expect(lines).toContain('/registry/configmaps/default/after');
  expect(lines).not.toContain('/registry/configmaps/default/before');
  expect(await cluster.history.digest()).toMatch(/^[0-9a-f]{64}$/);
});
