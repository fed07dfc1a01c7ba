import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import type { KubeClient, ResourceClient } from '@coxswain/client';
import { startCluster, type Cluster } from './cluster.ts';

interface Status extends KubeObject {
  readonly spec?: { readonly volumeName?: string; readonly nodeName?: string };
  readonly status?: { readonly phase?: string; readonly allocation?: object };
}

let cluster: Cluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 1 });
  client = cluster.client();
});
afterAll(() => cluster.stop());

const core = (resource: string) => client.resource<Status>({ group: '', version: 'v1', resource });
const devices = (resource: string) =>
  client.resource<Status>({ group: 'resource.k8s.io', version: 'v1', resource });

/** Watches until the object meets the condition. */
async function until(
  objects: ResourceClient<Status>,
  name: string,
  isSo: (object: Status) => boolean,
): Promise<Status> {
  for await (const { type, object } of objects.watch({ fieldSelector: `metadata.name=${name}` }))
    if (type !== 'BOOKMARK' && isSo(object)) return object;
  throw new Error(`the watch of ${name} ended`);
}

const create = (objects: ResourceClient<Status>, object: object) => objects.create(object as Status);

const volume = (name: string, persistentVolumeReclaimPolicy: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: name,
    persistentVolumeReclaimPolicy,
    hostPath: { path: '/data' },
  },
});

const claimSpec = (storageClassName: string) => ({
  accessModes: ['ReadWriteOnce'],
  storageClassName,
  resources: { requests: { storage: '1Gi' } },
});

test('a claim is bound, and its volume released when the claim goes', async () => {
  await create(core('persistentvolumes'), volume('kept', 'Retain'));
  const claims = core('persistentvolumeclaims').namespace('default');
  await create(claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: claimSpec('kept'),
  });

  const bound = await until(claims, 'data', ({ status }) => status?.phase === 'Bound');
  expect(bound.spec?.volumeName).toBe('kept');

  await claims.delete('data');
  const released = await until(
    core('persistentvolumes'),
    'kept',
    ({ status }) => status?.phase === 'Released',
  );
  expect(released.metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
});

test('a pod wipes a volume that is to be recycled, and the next claim gets it', async () => {
  await create(core('persistentvolumes'), volume('used', 'Recycle'));
  const claims = core('persistentvolumeclaims').namespace('default');
  const claim = (name: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: claimSpec('used'),
  });
  await create(claims, claim('first'));
  await until(claims, 'first', ({ status }) => status?.phase === 'Bound');

  await claims.delete('first');
  await until(core('persistentvolumes'), 'used', ({ status }) => status?.phase === 'Available');
  await create(claims, claim('second'));

  expect((await until(claims, 'second', ({ status }) => status?.phase === 'Bound')).spec?.volumeName).toBe(
    'used',
  );
});

test('a pod gets a claim for its ephemeral volume', async () => {
  await create(core('persistentvolumes'), volume('scratch', 'Retain'));
  const ephemeral = { volumeClaimTemplate: { spec: claimSpec('scratch') } };
  const pods = core('pods').namespace('default');
  await create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'worker' },
    spec: { containers: [{ name: 'c', image: 'img' }], volumes: [{ name: 'tmp', ephemeral }] },
  });

  await until(pods, 'worker', ({ status }) => status?.phase === 'Running');
  const claim = await core('persistentvolumeclaims').namespace('default').get('worker-tmp');
  expect(claim.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'Pod', name: 'worker' });
});

test('a pod gets a device, and gives it back', async () => {
  const [node] = (await core('nodes').list()).items;
  await create(devices('deviceclasses'), {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
  });
  await create(devices('resourceslices'), {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'gpus' },
    spec: {
      driver: 'gpu.example.com',
      nodeName: node?.metadata.name,
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'd0' }],
    },
  });
  const claims = devices('resourceclaims').namespace('default');
  await create(claims, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'one' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
  });
  const pods = core('pods').namespace('default');
  await create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'trainer' },
    spec: {
      containers: [{ name: 'c', image: 'img', resources: { claims: [{ name: 'gpu' }] } }],
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'one' }],
    },
  });

  await until(pods, 'trainer', ({ spec }) => spec?.nodeName !== undefined);
  expect((await claims.get('one')).status?.allocation).toBeDefined();

  await pods.delete('trainer', { gracePeriodSeconds: 0 });
  const freed = await until(claims, 'one', ({ metadata }) => metadata.finalizers === undefined);
  expect(freed.status?.allocation).toBeUndefined();
});
