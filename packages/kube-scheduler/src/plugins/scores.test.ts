import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../test/memory-cluster.ts';

type Nodes = readonly Parameters<MemoryCluster['setNode']>[0][];

async function nodeFor(
  nodes: Nodes,
  spec: object,
  before: readonly Parameters<MemoryCluster['setPod']>[0][] = [],
) {
  const cluster = new MemoryCluster();
  for (const one of nodes) cluster.setNode(one);
  for (const one of before) cluster.setPod(one);
  cluster.setPod(pod('p', { spec: { ...spec } }));
  await cluster.settle();
  return cluster.nodeOf('p');
}

const avoided = [{ key: 'k', effect: 'PreferNoSchedule' }];
const gigabyte = [{ names: ['big:1'], sizeBytes: 900_000_000 }];
const used = (name: string, nodeName: string, requests: Record<string, string>) =>
  pod(name, { spec: { nodeName, requests } });

test('the emptier node is preferred', async () => {
  expect(
    await nodeFor([node('a'), node('b')], { requests: { cpu: '1' } }, [used('x', 'a', { cpu: '2' })]),
  ).toBe('b');
});

test('a pod goes where it makes the use of cpu and memory more even', async () => {
  const nodes = ['a', 'b'].map((name) => node(name, { allocatable: { cpu: '10', memory: '10Gi' } }));
  const before = [used('x', 'a', { cpu: '5', memory: '1Gi' }), used('y', 'b', { cpu: '1', memory: '5Gi' })];

  expect(await nodeFor(nodes, { requests: { cpu: '3', memory: '100Mi' } }, before)).toBe('b');
});

test('a node with a taint that should be avoided comes last', async () => {
  expect(await nodeFor([node('a', { taints: avoided }), node('b')], {})).toBe('b');
});

test('a node that has the image is preferred', async () => {
  const nodes = [node('a'), node('b', { images: gigabyte }), node('c')];

  expect(await nodeFor(nodes, { containers: [{ name: 'c', image: 'big:1' }] })).toBe('b');
});

test('preferred node affinity adds its weights up', async () => {
  const prefer = (key: string, weight: number) => ({
    weight,
    preference: { matchExpressions: [{ key, operator: 'Exists' }] },
  });
  const nodeAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution: [prefer('x', 10), prefer('y', 20)],
  };
  const nodes = [node('a', { labels: { x: '' } }), node('b', { labels: { y: '' } }), node('c')];

  expect(await nodeFor(nodes, { affinity: { nodeAffinity } })).toBe('b');
});

test('host ports of the same protocol and address clash, others do not', async () => {
  const cluster = new MemoryCluster();
  cluster.setNode(node('a'));
  const ports = (hostPort: number, more: object = {}) => ({
    ports: [{ containerPort: 80, hostPort, ...more }],
  });
  for (const [name, wanted] of [
    ['first', ports(8080, { hostIP: '10.0.0.1' })],
    ['udp', ports(8080, { protocol: 'UDP' })],
    ['elsewhere', ports(8080, { hostIP: '10.0.0.2' })],
    ['everywhere', ports(8080)],
  ] as const) {
    cluster.setPod(pod(name, { spec: wanted }));
    await cluster.settle();
  }

  expect(['first', 'udp', 'elsewhere'].map(cluster.nodeOf)).toEqual(['a', 'a', 'a']);
  expect(cluster.messageOf('everywhere')).toContain(
    "1 node(s) didn't have free ports for the requested pod ports",
  );
});
