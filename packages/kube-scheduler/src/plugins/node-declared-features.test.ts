import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../test/memory-cluster.ts';

test('a pod waits for a node that declares the feature which it needs', async () => {
  const cluster = new MemoryCluster();
  cluster.setNode(node('a'));
  cluster.setPod(pod('p', { spec: { hostNetwork: true, hostUsers: false } }));
  await cluster.settle();
  expect(cluster.messageOf('p')).toContain("1 node(s) didn't match Pod's required features.");

  const declaring = node('a');
  cluster.setNode({
    ...declaring,
    status: { ...declaring.status, declaredFeatures: ['UserNamespacesHostNetworkSupport'] },
  } as never);
  await cluster.settle();
  expect(cluster.nodeOf('p')).toBe('a');
});
