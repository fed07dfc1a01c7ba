import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../../test/memory-cluster.ts';

const resource = 'example.com/gpu';

const deviceClass = (name: string, spec: object = { extendedResourceName: resource }) => ({
  kind: 'DeviceClass',
  metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec,
});

const slice = (nodeName: string, ...devices: string[]) => ({
  kind: 'ResourceSlice',
  metadata: { name: nodeName },
  spec: {
    driver: 'gpu.example.com',
    nodeName,
    pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
    devices: devices.map((name) => ({ name })),
  },
});

function clusterOf(...objects: object[]): MemoryCluster {
  const cluster = new MemoryCluster();
  for (const name of ['a', 'b']) cluster.setNode(node(name));
  for (const object of objects) cluster.setObject(object as never);
  return cluster;
}

async function place(cluster: MemoryCluster, name: string, spec: object): Promise<void> {
  cluster.setPod(pod(name, { spec: spec as never }));
  await cluster.settle();
  await cluster.settle();
}

const claimsIn = (cluster: MemoryCluster) => [...cluster.tables.resourceClaims()];

test('a pod that requests an extended resource goes where the devices are that provide it', async () => {
  const cluster = clusterOf(deviceClass('gpu'), slice('b', 'd0', 'd1'));
  await place(cluster, 'p', { requests: { [resource]: '2' } });

  expect(cluster.nodeOf('p')).toBe('b');
  const [claim] = claimsIn(cluster);
  expect(claim?.metadata?.annotations).toEqual({ 'resource.kubernetes.io/extended-resource-claim': 'true' });
  expect(claim?.metadata?.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`)).toEqual(['Pod/p']);
  expect(claim?.spec.devices.requests).toEqual([
    {
      name: 'container-0-request-0',
      exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 },
    },
  ]);
  expect(claim?.status?.allocation?.devices?.results?.map(({ device }) => device)).toEqual(['d0', 'd1']);
  expect(cluster.pod('p').status?.extendedResourceClaimStatus).toEqual({
    resourceClaimName: claim?.metadata?.name,
    requestMappings: [{ containerName: 'c', resourceName: resource, requestName: 'container-0-request-0' }],
  });
});

test('every class provides a resource with its own name', async () => {
  const cluster = clusterOf(deviceClass('gpu', {}), slice('a', 'd0'));
  await place(cluster, 'p', { requests: { 'deviceclass.resource.kubernetes.io/gpu': '1' } });

  expect(cluster.nodeOf('p')).toBe('a');
});

test('where the node has the resource by itself no claim is made', async () => {
  const cluster = clusterOf(deviceClass('gpu'));
  cluster.setNode(node('c', { allocatable: { [resource]: '1' } }));
  await place(cluster, 'p', { requests: { [resource]: '1' } });

  expect(cluster.nodeOf('p')).toBe('c');
  expect(claimsIn(cluster)).toEqual([]);
});

test('devices of one pod are not given to the next', async () => {
  const cluster = clusterOf(deviceClass('gpu'), slice('a', 'd0'));
  await place(cluster, 'p', { requests: { [resource]: '1' } });
  await place(cluster, 'q', { requests: { [resource]: '1' } });

  expect(cluster.nodeOf('q')).toBeUndefined();
  expect(cluster.messageOf('q')).toContain('cannot allocate all claims');
});

test('a pod waits for the class that its resource is one of', async () => {
  const cluster = clusterOf(slice('a', 'd0'));
  await place(cluster, 'p', { requests: { [resource]: '1' } });
  expect(cluster.messageOf('p')).toContain(`Insufficient ${resource}`);

  cluster.setObject(deviceClass('gpu') as never);
  await cluster.clock.advance(20_000);
  await cluster.settle();
  await cluster.settle();

  expect(cluster.nodeOf('p')).toBe('a');
});

test('when the pod cannot be bound its claim goes', async () => {
  const cluster = clusterOf(deviceClass('gpu'), slice('a', 'd0'));
  cluster.refuseBinding = new Error('no');
  await place(cluster, 'p', { requests: { [resource]: '1' } });

  expect(cluster.nodeOf('p')).toBeUndefined();
  expect(claimsIn(cluster)).toEqual([]);
});

test('init containers use the devices of later ones, and additional ones are requested once', async () => {
  const cluster = clusterOf(deviceClass('gpu'), slice('a', 'd0', 'd1', 'd2'));
  const container = (name: string, count: number) => ({
    name,
    image: 'i',
    resources: { requests: { cpu: '1', [resource]: `${count}` } },
  });
  await place(cluster, 'p', {
    initContainers: [container('first', 2), container('second', 3)],
    containers: [container('main', 1)],
  });

  const [claim] = claimsIn(cluster);
  expect(claim?.spec.devices.requests?.map(({ name, exactly }) => `${name}=${exactly?.count}`)).toEqual([
    'container-1-request-1=2',
    'container-2-request-1=1',
  ]);
  const { requestMappings } = cluster.pod('p').status!.extendedResourceClaimStatus!;
  expect(requestMappings.map((one) => `${one.containerName}=${one.requestName}`)).toEqual([
    'main=container-2-request-1',
    'first=container-2-request-1',
    'first=container-1-request-1',
    'second=container-2-request-1',
    'second=container-1-request-1',
  ]);
});

test('of two nodes the one with fewer of its devices in use scores higher, where the resource is scored', async () => {
  const resources = [{ name: resource, weight: 1 }];
  const args = { scoringStrategy: { type: 'LeastAllocated', resources } };
  const cluster = new MemoryCluster({
    profiles: [{ schedulerName: 'default-scheduler', pluginConfig: [{ name: 'NodeResourcesFit', args }] }],
  } as never);
  for (const name of ['a', 'b']) cluster.setNode(node(name));
  for (const object of [deviceClass('gpu'), slice('a', 'd0', 'd1', 'd2'), slice('b', 'd0', 'd1')])
    cluster.setObject(object as never);
  await place(cluster, 'p', { requests: { [resource]: '1' } });
  await place(cluster, 'q', {
    requests: { [resource]: '1' },
    nodeSelector: { 'kubernetes.io/hostname': 'a' },
  });
  await place(cluster, 'r', { requests: { [resource]: '1' } });

  expect([cluster.nodeOf('p'), cluster.nodeOf('r')]).toEqual(['a', 'b']);
});
