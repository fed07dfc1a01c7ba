import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from '../create-cluster.ts';
import { web } from '../fixtures.ts';
import type { TestCluster } from '../test-cluster.ts';
import { assertEventuallyHas, assertEventuallyLacks, assertRequested } from './assertions.ts';
import { differences } from './differences.ts';
import { matchers } from './matchers.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await createCluster({ seed: 5 });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

test('waits until an object has the wanted contents', async () => {
  await cluster.apply(web(2));

  expect(
    await matchers.toEventuallyHave(cluster, 'deployment/web', { status: { availableReplicas: 2 } }),
  ).toMatchObject({ pass: true });
});

test('waits in the time of the cluster, however long that is', async () => {
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'slow', annotations: { 'sim.coxswain.io/run': 'succeed:40m' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] },
  });

  await assertEventuallyHas(
    cluster,
    'pod/slow',
    { status: { phase: 'Succeeded' } },
    { within: '1h', every: '1m' },
  );
});

test('reports the last difference, and the seed', async () => {
  await cluster.apply(web(2));

  const { pass, message } = await matchers.toEventuallyHave(
    cluster,
    'deploy/default/web',
    { status: { availableReplicas: 3 } },
    { within: '3s' },
  );

  expect(pass).toBe(false);
  expect(message()).toContain(
    'status.availableReplicas is 2, not 3 (not within 3s; COXSWAIN_SEED=5 replays it)',
  );
});

test('waits until an object is gone', async () => {
  await cluster.apply(web(1));
  await cluster.idle();
  await cluster.remove(web(1));

  await assertEventuallyLacks(cluster, 'deploy/web');
  await expect(assertEventuallyLacks(cluster, 'ns/default', { within: '1s' })).rejects.toThrow(
    'still exists',
  );
});

test('counts requests', async () => {
  await cluster.apply(web(2));
  await cluster.idle();

  assertRequested(cluster, { verb: 'create', resource: 'pods' }, 2);
  expect(() => assertRequested(cluster, { verb: 'create', resource: 'pods' }, 3)).toThrow(
    /^expected 3 requests like {"verb":"create","resource":"pods"}, but there were 2 \(COXSWAIN_SEED=5 replays it\); these:\n {2}2 × create pods in default by system:serviceaccount:kube-system:replicaset-controller$/,
  );
});

test('lists the closest actual requests, and the seed', async () => {
  await cluster.apply(web(2));
  await cluster.idle();

  expect(() => assertRequested(cluster, { verb: 'delete', resource: 'pods', namespace: 'default' })).toThrow(
    /^expected at least one request like .*, but there were 0 \(COXSWAIN_SEED=5 replays it\); other requests:\n {2}\d+ × \w+ pods .*in default by .*(\n {2}.*){7}\n {2}and \d+ other kinds of requests$/,
  );
  cluster.requests.clear();
  expect(matchers.toHaveRequested(cluster, { verb: 'delete' }).message()).toMatch(
    /there were no requests at all$/,
  );
});

test('names the seed for an unexpected request', async () => {
  const { pass, message } = await matchers.toEventuallyHave(cluster, 'ns/default');

  expect(pass).toBe(true);
  expect(message()).toBe('expected not ns/default to have {} (COXSWAIN_SEED=5 replays it)');
});

test('compares only the given fields', () => {
  expect(differences({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] } })).toEqual([]);
  expect(differences({ b: { c: [1] } }, { a: 0, b: { c: [1, 2] } })).toEqual([
    'a is absent, not 0',
    'b.c has 1 items, not 2',
  ]);
});
