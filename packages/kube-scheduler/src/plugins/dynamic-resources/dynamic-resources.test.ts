import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../../test/memory-cluster.ts';

const uses = (...claims: string[]) => ({
  resourceClaims: claims.map((name) => ({ name, resourceClaimName: name })),
});

const deviceClass = {
  kind: 'DeviceClass',
  metadata: { name: 'gpu' },
  spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
};

const slice = (nodeName: string, ...devices: object[]) => ({
  kind: 'ResourceSlice',
  metadata: { name: nodeName },
  spec: {
    driver: 'gpu.example.com',
    nodeName,
    pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
    devices,
  },
});

const exactly = (more: object = {}) => ({
  exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1, ...more },
});

const claim = (name: string, devices: object = {}) => ({
  kind: 'ResourceClaim',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}`, resourceVersion: '1' },
  spec: { devices: { requests: [{ name: 'r', ...exactly() }], ...devices } },
});

async function place(objects: readonly object[], ...claims: string[]): Promise<MemoryCluster> {
  const cluster = new MemoryCluster();
  for (const name of ['a', 'b']) cluster.setNode(node(name));
  for (const object of [deviceClass, ...objects]) cluster.setObject(object as never);
  cluster.setPod(pod('p', { spec: uses(...claims) }));
  await cluster.settle();
  await cluster.settle();
  return cluster;
}

const devicesOf = (cluster: MemoryCluster, name: string): readonly string[] =>
  (cluster.tables.resourceClaim('default', name)?.status?.allocation?.devices?.results ?? []).map(
    ({ request, device }) => `${request}=${device}`,
  );

test('a pod goes where the device is, and its claim records the allocation', async () => {
  const cluster = await place([slice('b', { name: 'd0' }), claim('c')], 'c');

  expect(cluster.nodeOf('p')).toBe('b');
  const { metadata, status } = cluster.tables.resourceClaim('default', 'c')!;
  expect(devicesOf(cluster, 'c')).toEqual(['r=d0']);
  expect(status?.reservedFor?.map(({ name }) => name)).toEqual(['p']);
  expect(metadata?.finalizers).toEqual(['resource.kubernetes.io/delete-protection']);
});

test('selectors see attributes and capacities; unknown domains are empty', async () => {
  const expression =
    '!has(device.attributes["other.example.com"].x) && device.attributes["gpu.example.com"].memory > 10';
  const devices = [
    { name: 'small', attributes: { memory: { int: 8 } } },
    { name: 'large', attributes: { memory: { int: 16 } } },
  ];
  const wanted = claim('c', {
    requests: [{ name: 'r', ...exactly({ selectors: [{ cel: { expression } }] }) }],
  });

  expect(devicesOf(await place([slice('a', ...devices), wanted], 'c'), 'c')).toEqual(['r=large']);
});

test('a constraint makes the search go back to another first device', async () => {
  const devices = [0, 1, 1].map((numa, at) => ({ name: `d${at}`, attributes: { numa: { int: numa } } }));
  const wanted = claim('c', {
    requests: ['x', 'y'].map((name) => ({ name, ...exactly() })),
    constraints: [{ matchAttribute: 'gpu.example.com/numa' }],
  });

  expect(devicesOf(await place([slice('a', ...devices), wanted], 'c'), 'c')).toEqual(['x=d1', 'y=d2']);
});

test('the first choice of a prioritized list that can be had is taken', async () => {
  const big = { name: 'big', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 };
  const small = { ...big, name: 'small', count: 1 };
  const wanted = claim('c', { requests: [{ name: 'r', firstAvailable: [big, small] }] });

  expect(devicesOf(await place([slice('a', { name: 'd0' }), wanted], 'c'), 'c')).toEqual(['r/small=d0']);
});

test('parts of one device are not given twice when they share counters', async () => {
  const shared = {
    ...slice('a'),
    metadata: { name: 'counters' },
    spec: {
      ...slice('a').spec,
      pool: { name: 'a', generation: 1, resourceSliceCount: 2 },
      devices: [],
      sharedCounters: [{ name: 'set', counters: { memory: { value: '8Gi' } } }],
    },
  };
  const part = (name: string) => ({
    name,
    consumesCounters: [{ counterSet: 'set', counters: { memory: { value: '5Gi' } } }],
  });
  const parts = slice('a', part('d0'), part('d1'));
  const pooled = { ...parts, spec: { ...parts.spec, pool: shared.spec.pool } };
  const cluster = await place([shared, pooled, claim('one'), claim('two')], 'one', 'two');

  expect(cluster.messageOf('p')).toContain('2 cannot allocate all claims');
});

test.each([
  [
    'the class is missing',
    [claim('c', { requests: [{ name: 'r', ...exactly({ deviceClassName: 'x' }) }] })],
    'request r: device class x does not exist',
  ],
  ['no device is left', [claim('c')], '2 cannot allocate all claims'],
  [
    'a device is tainted',
    [slice('a', { name: 'd', taints: [{ key: 'bad', effect: 'NoSchedule' }] }), claim('c')],
    '2 cannot allocate all claims',
  ],
])('a pod waits when %s', async (_why, objects, reason) => {
  const cluster = await place(objects, 'c');

  expect(cluster.nodeOf('p')).toBeUndefined();
  expect(cluster.messageOf('p')).toContain(reason);
});

test('a pod whose claim is missing does not enter the queue until the claim exists', async () => {
  const cluster = await place([slice('a', { name: 'd0' })], 'c');
  expect(cluster.messageOf('p')).toBeUndefined();

  cluster.setObject(claim('c') as never);
  await cluster.settle();

  expect(cluster.nodeOf('p')).toBe('a');
});
