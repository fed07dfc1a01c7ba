import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import { configMap } from './fixtures.ts';
import type { TestCluster } from './test-cluster.ts';

/** Stands for invalid code written without a type checker. */
type Wrong = never;

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await createCluster({ controllers: false, nodes: 1, seed: 1 });
});
afterAll(() => cluster.stop());

test('an unknown option is refused with the list of known ones', async () => {
  await expect(createCluster({ node: 3 } as Wrong)).rejects.toThrow(
    'has no option "node": must be one of controllers',
  );
  await expect(createCluster(3 as Wrong)).rejects.toThrow('createCluster takes an object with some of');
  await expect(createCluster({ controllers: 'job' as Wrong })).rejects.toThrow("['*', '-job-controller']");
  await expect(createCluster({ namespace: 'A B' })).rejects.toThrow(
    'namespace must be the name of a namespace',
  );
});

test('a fault that would match everything, or never happen, is refused', () => {
  const add = (fault: object) => () => cluster.faults.add(fault as Wrong);

  expect(add({ action: 'error', resources: 'pods' })).toThrow('a fault has no option "resources"');
  expect(add({ action: 'error', verb: 'gett' })).toThrow('the verb of a fault must be one of get, list,');
  expect(add({ action: 'dropWatch', verb: 'get' })).toThrow('dropWatch applies to watch, not to get');
  expect(add({ action: 'error', delay: '1s' })).toThrow("a fault's delay applies to latency");
  expect(add({ action: 'latency', delay: 'soon' })).toThrow("a duration must be a string such as '90s'");
  expect(cluster.faults.list()).toEqual([]);
});

test('a node that no API would take is refused at once', async () => {
  await expect(cluster.nodes.add({ name: 'x', capacity: { cpu: 'lots' } })).rejects.toThrow(
    "a node's cpu capacity must be a quantity such as '4'",
  );
  await expect(cluster.nodes.add({ nme: 'x' } as Wrong)).rejects.toThrow('a node has no option "nme"');
});

test('manifests that are none say so, with the line', async () => {
  await expect(cluster.apply(undefined as Wrong)).rejects.toThrow('not undefined');
  await expect(cluster.apply('a: 1\n---\na:\n\tb: 1\n')).rejects.toThrow('yaml: line 4');
  await expect(
    cluster.apply('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: b, a: c }\n'),
  ).rejects.toThrow('key "a" already set');
  await expect(
    cluster.apply([{ ...configMap('of'), metadata: { name: 'of', namespace: 'nowhere' } }]),
  ).rejects.toThrow('namespaces "nowhere" not found (ConfigMap of)');
});

test('a duration may have days', async () => {
  // If nothing has to be done meanwhile, a day passes at once.
  await using quiet = await createCluster({ controllers: false, nodes: 0 });
  const before = quiet.clock.now();
  await quiet.clock.advance('1d1h');

  expect(quiet.clock.now() - before).toBe(25 * 60 * 60 * 1000);
  await expect(quiet.clock.advance('2 hours')).rejects.toThrow("'1h30m' or '30d'");
  await expect(quiet.clock.advance(-1)).rejects.toThrow('the clock cannot go back');
});

test('using a stopped cluster is an error that says so', async () => {
  const stopped = await createCluster({ controllers: false, nodes: 0 });
  await Promise.all([stopped.stop(), stopped.stop()]);

  await expect(stopped.reset()).rejects.toThrow('reset: the cluster has been stopped');
  await expect(stopped.fork()).rejects.toThrow('fork: the cluster has been stopped');
  await expect(stopped.kubeconfig()).rejects.toThrow('kubeconfig: the cluster has been stopped');
});
