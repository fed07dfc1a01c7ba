import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../../test/memory-cluster.ts';

const host = 'kubernetes.io/hostname';
const to = (labels: Record<string, string>, more: object = {}) => ({
  labelSelector: { matchLabels: labels },
  topologyKey: host,
  ...more,
});
const near = (...terms: object[]) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const awayFrom = (...terms: object[]) => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});

async function place(...pods: Parameters<MemoryCluster['setPod']>[0][]) {
  const cluster = new MemoryCluster();
  for (const name of ['a', 'b']) cluster.setNode(node(name));
  for (const namespace of ['default', 'other']) {
    cluster.setObject({ kind: 'Namespace', metadata: { name: namespace, labels: { team: namespace } } });
  }
  for (const one of pods) {
    cluster.setPod(one);
    await cluster.settle();
  }
  return cluster;
}

const app = (name: string, value: string, spec: object = {}, metadata: object = {}) =>
  pod(name, { metadata: { labels: { app: value }, ...metadata }, spec: { ...spec } });

test('a pod joins the one that it wants to be near', async () => {
  const cluster = await place(app('db', 'db', { nodeName: 'b' }), app('web', 'web', near(to({ app: 'db' }))));

  expect(cluster.nodeOf('web')).toBe('b');
});

test('missing pods to be near are no reason for preemption', async () => {
  const cluster = await place(app('web', 'web', near(to({ app: 'db' }))));

  expect(cluster.messageOf('web')).toBe(
    "0/2 nodes are available: 2 node(s) didn't match pod affinity rules. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
  );
});

test('the first of pods that want their own like may go anywhere', async () => {
  const cluster = await place(
    app('w1', 'web', near(to({ app: 'web' }))),
    app('w2', 'web', near(to({ app: 'web' }))),
  );

  expect(cluster.nodeOf('w1')).toBeDefined();
  expect(cluster.nodeOf('w2')).toBe(cluster.nodeOf('w1'));
});

test('pods that avoid each other use each node once', async () => {
  const apart = awayFrom(to({ app: 'web' }));
  const cluster = await place(app('w1', 'web', apart), app('w2', 'web', apart), app('w3', 'web', apart));

  expect([cluster.nodeOf('w1'), cluster.nodeOf('w2')].sort()).toEqual(['a', 'b']);
  expect(cluster.messageOf('w3')).toContain("2 node(s) didn't match pod anti-affinity rules");
});

test('a pod in place keeps off those that it avoids, and lets them in when it goes', async () => {
  const shy = awayFrom(to({ app: 'loud' }));
  const cluster = await place(
    app('s1', 'shy', { ...shy, nodeName: 'a' }),
    app('s2', 'shy', { ...shy, nodeName: 'b' }),
    app('loud', 'loud'),
  );
  expect(cluster.messageOf('loud')).toContain("2 node(s) didn't satisfy existing pods anti-affinity rules");

  cluster.finish('s2');
  await cluster.settle();
  expect(cluster.nodeOf('loud')).toBe('b');
});

test.each([
  ['by default only its own namespace', {}, undefined],
  ['a namespace by name', { namespaces: ['other'] }, 'b'],
  ['a namespace by its labels', { namespaceSelector: { matchLabels: { team: 'other' } } }, 'b'],
])('a term looks into %s', async (_what, more, expected) => {
  const cluster = await place(
    app('db', 'db', { nodeName: 'b' }, { namespace: 'other' }),
    app('web', 'web', near(to({ app: 'db' }, more))),
  );

  expect(cluster.nodeOf('web')).toBe(expected);
});

test('preferences decide between nodes that fit', async () => {
  const preferred = { weight: 100, podAffinityTerm: to({ app: 'db' }) };
  const towards = {
    affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preferred] } },
  };
  const from = {
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preferred] } },
  };
  const cluster = await place(
    app('db', 'db', { nodeName: 'b' }),
    app('near', 'x', towards),
    app('far', 'x', from),
  );

  expect([cluster.nodeOf('near'), cluster.nodeOf('far')]).toEqual(['b', 'a']);
});
