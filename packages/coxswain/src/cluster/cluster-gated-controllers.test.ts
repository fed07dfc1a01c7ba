import { afterEach, expect, test } from 'vitest';
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import type { ResourceClient } from '@coxswain/client';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.ts';

interface Anything extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const running: Cluster[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((cluster) => cluster.stop()));
});

async function clusterWith(options: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster({ nodes: 0, ...options });
  running.push(cluster);
  return cluster;
}

const objects = (cluster: Cluster, group: string, version: string, resource: string) =>
  cluster.client().resource<Anything>({ group, version, resource } satisfies GroupVersionResource);

/** Watches until the object meets the condition. */
async function until(
  client: ResourceClient<Anything>,
  name: string,
  isSo: (object: Anything, type: string) => boolean,
): Promise<Anything> {
  for await (const { type, object } of client.watch({ fieldSelector: `metadata.name=${name}` }))
    if (type !== 'BOOKMARK' && isSo(object as Anything, type)) return object as Anything;
  throw new Error(`the watch of ${name} ended`);
}

const named = (client: ResourceClient<Anything>, object: object) => client.create(object as Anything);

test('a controller behind a gate that is off is not started', async () => {
  const cluster = await clusterWith({});
  expect(cluster.controllers).not.toContain('podgroup-protection-controller');
});

test('a group of pods goes when its last pod has gone', async () => {
  const cluster = await clusterWith({
    featureGates: ['GenericWorkload=true'],
    runtimeConfig: 'scheduling.k8s.io/v1alpha2=true',
  });
  const groups = objects(cluster, 'scheduling.k8s.io', 'v1alpha2', 'podgroups').namespace('default');
  const pods = objects(cluster, '', 'v1', 'pods').namespace('default');
  await named(groups, {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name: 'g', namespace: 'default' },
    spec: { schedulingPolicy: { basic: {} } },
  });
  await named(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'i' }], schedulingGroup: { podGroupName: 'g' } },
  });
  await groups.delete('g');
  expect((await groups.get('g')).metadata.finalizers).toEqual(['scheduling.k8s.io/podgroup-protection']);

  const gone = until(groups, 'g', (_group, type) => type === 'DELETED');
  await pods.delete('p', { gracePeriodSeconds: 0 });
  expect((await gone).metadata.name).toBe('g');
});

test('a question about pools of devices is answered once', async () => {
  const cluster = await clusterWith({
    featureGates: ['DRAResourcePoolStatus=true'],
    runtimeConfig: 'resource.k8s.io/v1alpha3=true',
  });
  const slices = objects(cluster, 'resource.k8s.io', 'v1', 'resourceslices');
  await named(slices, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's' },
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'n',
      pool: { name: 'n', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'a' }, { name: 'b' }],
    },
  });
  const requests = objects(cluster, 'resource.k8s.io', 'v1alpha3', 'resourcepoolstatusrequests');
  const answerTo = async (name: string) => {
    await named(requests, {
      apiVersion: 'resource.k8s.io/v1alpha3',
      kind: 'ResourcePoolStatusRequest',
      metadata: { name },
      spec: { driver: 'gpu.example.com' },
    });
    return (await until(requests, name, (request) => request.status !== undefined)).status;
  };
  // The controller answers from its informers, which may not have received the slice yet.
  let status = await answerTo('r0');
  for (let n = 1; (status as { poolCount: number }).poolCount === 0; n++) status = await answerTo(`r${n}`);
  expect(status).toMatchObject({
    poolCount: 1,
    pools: [{ poolName: 'n', nodeName: 'n', totalDevices: 2, allocatedDevices: 0, availableDevices: 2 }],
    conditions: [{ type: 'Complete', message: 'Calculated status for 1 pools' }],
  });
});

test('objects of a resource are rewritten, and the definition drops older versions', async () => {
  const cluster = await clusterWith({
    featureGates: ['StorageVersionMigrator=true'],
    runtimeConfig: 'storagemigration.k8s.io/v1beta1=true',
  });
  const definitions = objects(cluster, 'apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  const version = (name: string, storage: boolean) => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const metadata = { name: 'widgets.example.com' };
  const spec = (versions: object[]) => ({ group: 'example.com', names, scope: 'Cluster', versions });
  await named(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec: spec([version('v1', true), version('v2', false)]),
  });
  const isEstablished = (one: Anything) =>
    JSON.stringify(one.status?.['conditions'] ?? []).includes('"Established"');
  await until(definitions, metadata.name, isEstablished);
  const widgets = objects(cluster, 'example.com', 'v1', 'widgets');
  await named(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } });
  await definitions.patch(
    metadata.name,
    { spec: { versions: [version('v1', false), version('v2', true)] } },
    { type: 'merge' },
  );
  const migrations = objects(cluster, 'storagemigration.k8s.io', 'v1beta1', 'storageversionmigrations');
  await named(migrations, {
    apiVersion: 'storagemigration.k8s.io/v1beta1',
    kind: 'StorageVersionMigration',
    metadata: { name: 'm' },
    spec: { resource: { group: 'example.com', resource: 'widgets' } },
  });
  const ended = await until(migrations, 'm', (one) =>
    JSON.stringify(one.status ?? {}).includes('MigrationCompleted'),
  );
  expect(ended.status?.['conditions']).toMatchObject([
    { type: 'MigrationRunning', status: 'False', reason: 'MigrationCompleted' },
    { type: 'MigrationSucceeded', status: 'True', reason: 'StorageVersionMigrationSucceeded' },
  ]);
  expect((await definitions.get(metadata.name)).status?.['storedVersions']).toEqual(['v2']);
});

test('a record of the versions of a server that is not there is removed', async () => {
  const cluster = await clusterWith({
    featureGates: ['StorageVersionAPI=true'],
    runtimeConfig: 'internal.apiserver.k8s.io/v1alpha1=true',
  });
  const versions = objects(cluster, 'internal.apiserver.k8s.io', 'v1alpha1', 'storageversions');
  const created = await named(versions, {
    apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
    kind: 'StorageVersion',
    metadata: { name: 'apps.deployments' },
    spec: {},
  });
  const server = { encodingVersion: 'apps/v1', decodableVersions: ['apps/v1'] };
  const gone = until(versions, 'apps.deployments', (_version, type) => type === 'DELETED');
  await versions.updateStatus({
    ...created,
    status: { storageVersions: [{ apiServerID: 'lost', ...server }], commonEncodingVersion: 'apps/v1' },
  });
  expect((await gone).metadata.name).toBe('apps.deployments');
});
