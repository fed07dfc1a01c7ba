import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../test/memory-cluster.ts';

test('node affinity added by a profile applies to every pod, and is distinguished from its own', async () => {
  const terms = [{ matchExpressions: [{ key: 'disk', operator: 'In' as const, values: ['ssd'] }] }];
  const addedAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const cluster = new MemoryCluster({
    profiles: [{ pluginConfig: [{ name: 'NodeAffinity', args: { addedAffinity } }] }],
  });
  cluster.setNode(node('a'));
  cluster.setPod(pod('p'));
  await cluster.settle();
  expect(cluster.messageOf('p')).toContain("1 node(s) didn't match scheduler-enforced node affinity.");

  cluster.setNode(node('a', { labels: { disk: 'ssd' } }));
  await cluster.settle();
  expect(cluster.nodeOf('p')).toBe('a');
});

test('nodes that a profile prefers are preferred by every pod', async () => {
  const preference = { matchExpressions: [{ key: 'disk', operator: 'Exists' as const }] };
  const addedAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
  const cluster = new MemoryCluster({
    profiles: [{ pluginConfig: [{ name: 'NodeAffinity', args: { addedAffinity } }] }],
  });
  for (const name of ['a', 'b', 'c']) cluster.setNode(node(name));
  cluster.setNode(node('d', { labels: { disk: 'ssd' } }));
  cluster.setPod(pod('p'));
  await cluster.settle();

  expect(cluster.nodeOf('p')).toBe('d');
});
