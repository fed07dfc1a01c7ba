import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { assertEventuallyHas, assertEventuallyLacks } from './matchers/assertions.ts';
import type { TestCluster } from './test-cluster.ts';

/** Minutes of virtual time pass in these tests, possibly on busy machines. */
vi.setConfig({ testTimeout: 30_000 });

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await createCluster({ nodes: 1, seed: 1 });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

const namesInApi = async (): Promise<readonly (string | undefined)[]> => {
  const { items } = await cluster.client.resource<KubeObject>('v1', 'nodes').list();
  return items.map(({ metadata }) => metadata.name);
};

const podOnBigNode = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { nodeSelector: { size: 'big' }, containers: [{ name: 'a', image: 'a' }] },
};

test('a pod that fits nowhere runs on a node that is added', async () => {
  await cluster.apply(podOnBigNode);
  await cluster.idle();

  const added = await cluster.nodes.add({ labels: { size: 'big' } });

  expect(added).toBe('node-1');
  await assertEventuallyHas(cluster, 'pod/a', { status: { phase: 'Running' }, spec: { nodeName: added } });
});

test('the pods of a node that is removed go in time', async () => {
  const added = await cluster.nodes.add({ labels: { size: 'big' } });
  await cluster.apply(podOnBigNode);
  await assertEventuallyHas(cluster, 'pod/a', { status: { phase: 'Running' } });

  await cluster.nodes.remove(added);

  await assertEventuallyLacks(cluster, 'pod/a', { within: '10m' });
  expect(await namesInApi()).toEqual(['node-0']);
  expect(cluster.nodes.names).toEqual(['node-0']);
});

test('a reset restores the earlier nodes', async () => {
  await cluster.nodes.remove('node-0');
  expect(await cluster.nodes.add({ name: 'other' })).toBe('other');
  expect(await namesInApi()).toEqual(['other']);

  await cluster.reset();
  await cluster.clock.advance('2m');

  expect(await namesInApi()).toEqual(['node-0']);
  expect(cluster.nodes.names).toEqual(['node-0']);
});

test('a restart of the kubelets and a fork keep the nodes that were added', async () => {
  await cluster.nodes.add();
  await cluster.components.restart('kubelets');
  const fork = await cluster.fork();

  expect(cluster.nodes.names).toEqual(['node-0', 'node-1']);
  expect(fork.nodes.names).toEqual(['node-0', 'node-1']);
  await fork.stop();
});

test('a node that the API refuses is refused with its words, and nothing is left of it', async () => {
  await expect(cluster.nodes.add({ name: 'Bad_Name' })).rejects.toThrow('Node "Bad_Name" is invalid');
  await expect(createCluster({ nodes: [{ name: 'Bad_Name' }] })).rejects.toThrow(
    'Node "Bad_Name" is invalid',
  );
  await expect(cluster.nodes.add('big' as never)).rejects.toThrow('a node takes an object with some of name');
  expect(cluster.nodes.names).toEqual(['node-0']);
});

test('refuses a second node of the same name, and the removal of a missing one', async () => {
  await expect(cluster.nodes.add({ name: 'node-0' })).rejects.toThrow('"node-0" already');
  await expect(cluster.nodes.remove('nowhere')).rejects.toThrow('no simulated node named "nowhere"');
});

test("a lost node does not answer, which is known at once and without this machine's network", async () => {
  await using cluster = await createCluster({ nodes: 1, seed: 1 });
  const containers = [{ name: 'c', image: 'nginx' }];
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers } });
  await cluster.idle();
  await cluster.nodes.fail('node-0');

  await expect(cluster.logs('a')).rejects.toThrow('connect: no route to host');
  const page = await cluster.transport.send({
    method: 'GET',
    path: '/api/v1/nodes/node-0/proxy/pods',
    headers: {},
  });
  expect(page.status).toBe(503);
  const measured = cluster.client.resource('metrics.k8s.io/v1beta1', 'pods').namespace('default');
  expect((await measured.list()).items).toEqual([]);
  await cluster.nodes.recover('node-0');
  expect((await measured.list()).items).toHaveLength(1);
});

test('a pod that a finalizer holds is deleted once, and then left alone', async () => {
  await using cluster = await createCluster({ nodes: 1, seed: 1 });
  const pods = cluster.client.resource('v1', 'pods').namespace('default');
  const containers = [{ name: 'c', image: 'nginx' }];
  const metadata = { name: 'held', finalizers: ['example.com/held'] };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } });
  await cluster.idle();
  await pods.delete('held');
  await cluster.idle();
  const { resourceVersion, deletionTimestamp } = (await pods.get('held')).metadata;
  await cluster.clock.advance('10m');

  expect(deletionTimestamp).toBeDefined();
  expect((await pods.get('held')).metadata.resourceVersion).toBe(resourceVersion);
  await pods.delete('held', { gracePeriodSeconds: 0 });
  expect((await pods.get('held')).metadata.resourceVersion).toBe(resourceVersion);
  await pods.patch('held', { metadata: { finalizers: null } }, { type: 'merge' });
  await cluster.idle();
  await expect(pods.get('held')).rejects.toMatchObject({ code: 404 });
});
