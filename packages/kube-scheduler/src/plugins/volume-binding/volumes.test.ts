import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../../test/memory-cluster.ts';

const completed = { 'pv.kubernetes.io/bind-completed': 'yes' };
const uses = (...claims: string[]) => ({
  volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});

function makeCluster(...objects: object[]) {
  const cluster = new MemoryCluster();
  for (const name of ['a', 'b'])
    cluster.setNode(node(name, { labels: { 'topology.kubernetes.io/zone': `zone-${name}` } }));
  for (const object of objects) cluster.setObject(object as never);
  return cluster;
}

const claim = (name: string, spec: object, annotations: object = {}) => ({
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default', annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const onNode = (name: string) => ({
  required: {
    nodeSelectorTerms: [
      { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }] },
    ],
  },
});

const volume = (name: string, spec: object = {}, labels: object = {}) => ({
  kind: 'PersistentVolume',
  metadata: { name, labels },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'late', ...spec },
  status: { phase: 'Available' },
});

const lateClass = (provisioner: string) => ({
  kind: 'StorageClass',
  metadata: { name: 'late' },
  provisioner,
  volumeBindingMode: 'WaitForFirstConsumer',
});

async function place(cluster: MemoryCluster, name: string, ...claims: string[]) {
  cluster.setPod(pod(name, { spec: uses(...claims) }));
  await cluster.settle();
}

test.each([
  ['is missing', [], 'persistentvolumeclaim "c" not found'],
  [
    'waits for somebody else to bind it',
    [claim('c', { storageClassName: 'now' })],
    'pod has unbound immediate PersistentVolumeClaims',
  ],
  [
    'has lost its volume',
    [{ ...claim('c', { volumeName: 'v' }), status: { phase: 'Lost' } }],
    'persistentvolumeclaim "c" bound to non-existent persistentvolume "v"',
  ],
])('a pod whose claim %s is refused on all nodes', async (_what, objects, reason) => {
  const cluster = makeCluster(...objects);
  await place(cluster, 'p', 'c');

  expect(cluster.messageOf('p')).toBe(`0/2 nodes are available: ${reason}. not found`);
});

test('a bound volume draws the pod to its node', async () => {
  const cluster = makeCluster(
    claim('c', { volumeName: 'v' }, completed),
    volume('v', { nodeAffinity: onNode('b') }),
  );
  await place(cluster, 'p', 'c');

  expect(cluster.nodeOf('p')).toBe('b');
});

test('the zone label of a volume counts too', async () => {
  const labels = { 'topology.kubernetes.io/zone': 'zone-a' };
  const cluster = makeCluster(claim('c', { volumeName: 'v' }, completed), volume('v', {}, labels));
  await place(cluster, 'p', 'c');

  expect(cluster.nodeOf('p')).toBe('a');
});

test('a claim that waits for its pod gets the smallest volume that the node reaches', async () => {
  const cluster = makeCluster(
    lateClass('kubernetes.io/no-provisioner'),
    claim('c', { storageClassName: 'late' }),
    volume('small', { capacity: { storage: '500Mi' }, nodeAffinity: onNode('a') }),
    volume('large', { capacity: { storage: '9Gi' }, nodeAffinity: onNode('b') }),
    volume('right', { capacity: { storage: '2Gi' }, nodeAffinity: onNode('b') }),
  );
  await place(cluster, 'p', 'c');

  expect(cluster.nodeOf('p')).toBe('b');
  expect(cluster.tables.claim('default', 'c')?.spec?.volumeName).toBe('right');
});

test('without a volume or a provisioner, the pod remains pending', async () => {
  const cluster = makeCluster(
    lateClass('kubernetes.io/no-provisioner'),
    claim('c', { storageClassName: 'late' }),
  );
  await place(cluster, 'p', 'c');

  expect(cluster.messageOf('p')).toContain("2 node(s) didn't find available persistent volumes to bind");
});

test('a provisioner gets the node, and the pod waits there', async () => {
  const cluster = makeCluster(lateClass('disk.example.com'), claim('c', { storageClassName: 'late' }));
  cluster.setPod(pod('p', { spec: uses('c') }));
  while (cluster.scheduler.scheduleNext());
  await cluster.clock.advance(0);

  const selected = cluster.tables.claim('default', 'c')?.metadata?.annotations?.[
    'volume.kubernetes.io/selected-node'
  ];
  expect(selected).toMatch(/^[ab]$/);
  expect(cluster.pod('p').status?.nominatedNodeName).toBe(selected);
  expect(cluster.nodeOf('p')).toBeUndefined();
});

test('a claim for one pod only keeps the second pod off', async () => {
  const exclusive = { volumeName: 'v', accessModes: ['ReadWriteOncePod'] };
  const cluster = makeCluster(
    claim('c', exclusive, completed),
    volume('v', { accessModes: ['ReadWriteOncePod'] }),
  );
  await place(cluster, 'p1', 'c');
  await place(cluster, 'p2', 'c');

  expect(cluster.nodeOf('p1')).toBeDefined();
  expect(cluster.messageOf('p2')).toContain(
    '2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  );
});

test('a node takes no more volumes of a driver than it says', async () => {
  const csi = (handle: string) => ({ csi: { driver: 'd', volumeHandle: handle } });
  const limits = ['a', 'b'].map((name) => ({
    kind: 'CSINode',
    metadata: { name },
    spec: { drivers: [{ name: 'd', nodeID: name, allocatable: { count: name === 'a' ? 1 : 0 } }] },
  }));
  const cluster = makeCluster(
    ...limits,
    ...['1', '2'].flatMap((id) => [
      claim(`c${id}`, { volumeName: `v${id}` }, completed),
      volume(`v${id}`, csi(id)),
    ]),
  );
  await place(cluster, 'p1', 'c1');
  await place(cluster, 'p2', 'c2');

  expect(cluster.nodeOf('p1')).toBe('a');
  expect(cluster.messageOf('p2')).toContain('2 node(s) exceed max volume count');
});

test('a driver that reports its capacity is used only where there is enough', async () => {
  const capacity = (name: string, zone: string, room: string) => ({
    kind: 'CSIStorageCapacity',
    metadata: { name, namespace: 'default' },
    storageClassName: 'late',
    capacity: room,
    nodeTopology: { matchLabels: { 'topology.kubernetes.io/zone': zone } },
  });
  const driver = {
    kind: 'CSIDriver',
    metadata: { name: 'disk.example.com' },
    spec: { storageCapacity: true },
  };
  const cluster = makeCluster(
    driver,
    lateClass('disk.example.com'),
    capacity('little', 'zone-a', '500Mi'),
    claim('c', { storageClassName: 'late' }),
  );
  await place(cluster, 'p', 'c');
  expect(cluster.messageOf('p')).toContain('2 node(s) did not have enough free storage');

  cluster.setObject(capacity('enough', 'zone-b', '5Gi') as never);
  while (cluster.scheduler.scheduleNext());
  await cluster.clock.advance(0);

  expect(cluster.tables.claim('default', 'c')?.metadata?.annotations).toMatchObject({
    'volume.kubernetes.io/selected-node': 'b',
  });
});
