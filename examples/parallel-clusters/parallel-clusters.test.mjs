import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCluster } from 'coxswain/testing';

const map = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

test('twenty clusters at once know nothing of each other', async () => {
  const original = await createCluster({ controllers: false, nodes: 0 });
  await original.apply(map('common'));
  // A copy shares the data until it changes.
  const copies = await Promise.all(Array.from({ length: 20 }, () => original.fork()));
  await Promise.all(copies.map((cluster, index) => cluster.apply(map(`own-${index}`))));
  for (const [index, cluster] of copies.entries()) {
    const { items } = await cluster.client.resource('v1', 'configmaps').namespace('default').list();
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['common', `own-${index}`],
    );
  }
  await Promise.all([original, ...copies].map((cluster) => cluster.stop()));
});
