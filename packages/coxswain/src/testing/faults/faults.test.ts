import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Informer } from '@coxswain/client';
import { createCluster } from '../create-cluster.ts';
import { configMap, configMaps, pods, web } from '../fixtures.ts';
import type { TestCluster } from '../test-cluster.ts';

let cluster: TestCluster;
const maps = () => cluster.client.resource(configMaps).namespace('default');

beforeAll(async () => {
  cluster = await createCluster({ seed: 3 });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

test('with an error, the client gets it and nothing is executed', async () => {
  const fault = cluster.faults.add({
    verb: 'create',
    resource: 'configmaps',
    action: 'error',
    code: 503,
    times: 1,
  });

  await expect(maps().create(configMap('a'))).rejects.toMatchObject({
    code: 503,
    reason: 'ServiceUnavailable',
  });
  await expect(maps().get('a')).rejects.toMatchObject({ code: 404 });
  await expect(maps().create(configMap('a'))).resolves.toBeDefined();
  expect(fault.count).toBe(1);
  expect(cluster.requests({ verb: 'create', resource: 'configmaps' })[0]).toMatchObject({
    status: 503,
    fault: 'error',
  });
});

test("a conflict has the server's message", async () => {
  const { metadata } = await maps().create(configMap('a'));
  cluster.faults.add({ resource: 'configmaps', action: 'conflict' });

  await expect(maps().update({ ...configMap('a'), metadata })).rejects.toThrow(
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  );
  await expect(maps().get('a')).resolves.toBeDefined();
});

test('a caller that waits for a delayed response gets it when its time has passed', async () => {
  const before = cluster.clock.now();
  cluster.faults.add({ resource: 'configmaps', action: 'latency', delay: '5s' });

  await cluster.apply(configMap('a'));
  await maps().get('a');
  for await (const { type } of maps().watch()) {
    expect(type).toBe('ADDED');
    break;
  }

  expect(cluster.clock.now() - before).toBe(15_000);
});

test('idle waits for answers that are late by more than a pause', async () => {
  cluster.faults.add({ verb: 'create', resource: 'pods', action: 'latency', delay: '30s', times: 3 });
  await cluster.apply(web(1));
  await cluster.idle();

  expect((await cluster.client.resource(pods).namespace('default').list()).items).toHaveLength(1);
});

test('components start, and the cluster stops, while much goes wrong', async () => {
  const unlucky = await createCluster({ seed: 5 });
  unlucky.faults.add({ verb: ['list', 'watch'], resource: '*', action: 'error', probability: 0.7 });
  unlucky.faults.add({ resource: '*', action: 'latency', delay: '40s', probability: 0.5 });

  await unlucky.components.restart('scheduler');
  await unlucky.components.restart('kubelets');
  expect(unlucky.components.isRunning('scheduler')).toBe(true);
  await unlucky.stop();
});

test('latency takes time of the cluster', async () => {
  cluster.faults.add({ verb: 'get', resource: 'configmaps', action: 'latency', delay: '5s' });
  await maps().create(configMap('a'));
  let isThere = false;
  const got = maps()
    .get('a')
    .then(() => (isThere = true));

  await cluster.clock.advance('4s');
  expect(isThere).toBe(false);
  await cluster.clock.advance('1s');
  await got;
});

test('a stale read returns an earlier state', async () => {
  const before = await maps().create(configMap('a', { k: 'old' }));
  await maps().update({ ...configMap('a', { k: 'new' }), metadata: before.metadata });
  cluster.faults.add({ resource: 'configmaps', action: 'staleRead', lag: 1 });

  expect(await maps().get('a')).toMatchObject({
    kind: 'ConfigMap',
    metadata: { resourceVersion: before.metadata.resourceVersion },
    data: { k: 'old' },
  });
  expect((await maps().list()).items.find(({ metadata }) => metadata.name === 'a')).toMatchObject({
    data: { k: 'old' },
  });
});

test('a stale read does not find an object that did not exist yet', async () => {
  await maps().create(configMap('a'));
  cluster.faults.add({ verb: 'get', resource: 'configmaps', action: 'staleRead', lag: 1 });

  await expect(maps().get('a')).rejects.toMatchObject({ code: 404 });
});

test('an informer lives through watches that are dropped, and misses nothing', async () => {
  cluster.faults.add({ verb: 'watch', resource: 'configmaps', action: 'dropWatch', afterEvents: 2 });
  const stopping = new AbortController();
  const informer = new Informer({ resource: maps(), clock: cluster.clock });
  const running = informer.run(stopping.signal);
  await informer.synced;

  for (let index = 0; index < 7; index++) await maps().create(configMap(`map-${index}`));

  await cluster.eventually(() => informer.lister.list().length === 7, { within: '5m' });
  expect(cluster.requests({ verb: 'watch', resource: 'configmaps' }).length).toBeGreaterThan(3);
  stopping.abort();
  await running;
});

test('a lost response still leaves the effects of the request', async () => {
  cluster.faults.add({ verb: 'create', resource: 'configmaps', action: 'lostAnswer', times: 1 });

  await expect(maps().create(configMap('a'))).rejects.toMatchObject({ code: 504 });
  await expect(maps().get('a')).resolves.toBeDefined();
});

test('controllers get over a server that fails every third time', async () => {
  cluster.faults.add({ probability: 0.3, action: 'error', code: 500, user: [...componentUsers] });
  await cluster.apply(web(4));

  await cluster.eventually(
    async () => {
      const { items } = await cluster.client
        .resource(pods)
        .namespace('default')
        .list({ fieldSelector: 'status.phase=Running' });
      return items.length === 4;
    },
    { within: '10m' },
  );
  expect(cluster.requests().filter(({ fault }) => fault !== undefined).length).toBeGreaterThan(3);
});

const componentUsers = [
  'system:serviceaccount:kube-system:deployment-controller',
  'system:serviceaccount:kube-system:replicaset-controller',
  'system:kube-scheduler',
  'system:coxswain:kubelets',
];

test('a rule that makes no sense is refused', () => {
  expect(() => cluster.faults.add({ action: 'error', probability: 2 })).toThrow('from 0 to 1');
  expect(() => cluster.faults.add({ action: 'error', code: 200 })).toThrow('from 400 to 599');
  expect(() => cluster.faults.add({ action: 'explode' as 'error' })).toThrow('one of error, latency');
});
