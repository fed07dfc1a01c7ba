import { expect, test } from 'vitest';
import { createCluster } from '../testing/create-cluster.ts';
import { usable } from './usable.ts';

const { signal } = new AbortController();

test('a cluster is usable when its nodes are ready and its namespace has a service account', async () => {
  const cluster = await createCluster({ nodes: 2 });
  await usable(cluster.client, { nodes: 2, accounts: true }, cluster.clock, signal);
});

test('the error names what is missing', async () => {
  const cluster = await createCluster({ nodes: 0, controllers: false });
  const of = (wanted: { nodes: number; accounts: boolean }) => {
    const waiting = usable(cluster.client, wanted, cluster.clock, signal);
    return Promise.all([
      expect(waiting).rejects.toThrow(),
      waiting.catch(String),
      cluster.clock.advance('3m'),
    ]);
  };
  expect((await of({ nodes: 1, accounts: false }))[1]).toContain('0 of 1 nodes are ready');
  expect((await of({ nodes: 0, accounts: true }))[1]).toContain('namespace default has no service account');
  await usable(cluster.client, { nodes: 0, accounts: false }, cluster.clock, signal);
});
