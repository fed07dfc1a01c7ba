import { ManualClock, systemClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../test/memory-cluster.ts';
import { playedExtender, type PlayedExtender } from '../../test/played-extender.ts';
import type { KubeSchedulerConfiguration } from '../config/configuration.ts';
import { completeConfiguration } from '../config/load-configuration.ts';
import { configuredExtenders } from './configured-extenders.ts';

type Configured = NonNullable<KubeSchedulerConfiguration['extenders']>[number];

let extender: PlayedExtender;
const steps: object[] = [];
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  steps.length = 0;
  extender = await playedExtender();
  closing.push(() => extender.close());
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Nodes a, b and c with these extenders, reached at `extender`. */
function clusterWith(...extenders: readonly Configured[]): MemoryCluster {
  const configuration = completeConfiguration({
    extenders: extenders.map((one) => ({ urlPrefix: extender.urlPrefix, ...one })),
  });
  const made = configuredExtenders(configuration.extenders!, systemClock, {
    begin: (step, detail) => void steps.push({ step, ...detail }),
    note: (values) => void steps.push(values),
  });
  closing.push(async () => void (await Promise.all(made.map((one) => one.close?.()))));
  const cluster = new MemoryCluster(configuration, made);
  for (const name of ['a', 'b', 'c']) cluster.setNode(node(name));
  return cluster;
}

async function placed(cluster: MemoryCluster, wanted = pod('p')): Promise<string | undefined> {
  cluster.setPod(wanted);
  await cluster.settle();
  return cluster.pod('p').spec?.nodeName;
}

const byNames: Configured = { filterVerb: 'filter', nodeCacheCapable: true };
const names = (args: { readonly NodeNames: readonly string[] }) => args.NodeNames;

test('an extender that knows the nodes is asked by their names, and says which of them will do', async () => {
  extender.answers = { filter: () => ({ NodeNames: ['b'] }) };

  expect(await placed(clusterWith(byNames))).toBe('b');
  expect(extender.asked).toEqual([
    {
      verb: 'filter',
      args: {
        Pod: expect.objectContaining({ metadata: expect.objectContaining({ name: 'p' }) }),
        Nodes: null,
        NodeNames: ['a', 'b', 'c'],
      },
    },
  ]);
});

test('each call of an extender is a step with its answer', async () => {
  extender.answers = { filter: () => ({ NodeNames: ['b'] }) };
  await placed(clusterWith(byNames));
  expect(steps).toEqual([
    { step: 'extender/filter', server: extender.urlPrefix },
    { answer: { NodeNames: ['b'] } },
  ]);
});

test('an extender that does not know the nodes gets them whole', async () => {
  extender.answers = {
    filter: ({ Nodes }: { Nodes: { items: { metadata: { name: string } }[] } }) => ({
      Nodes: { items: Nodes.items.filter(({ metadata }) => metadata.name === 'c') },
    }),
  };

  expect(await placed(clusterWith({ filterVerb: 'filter' }))).toBe('c');
  expect(extender.asked[0]?.args).toMatchObject({
    NodeNames: null,
    Nodes: { metadata: {}, items: [{ status: { allocatable: { cpu: '4' } } }, {}, {}] },
  });
});

test('why an extender refuses nodes is in the pod, and any change is worth another try', async () => {
  extender.answers = {
    filter: () => ({
      FailedNodes: { a: 'too cold', b: 'too cold' },
      FailedAndUnresolvableNodes: { c: 'never' },
    }),
  };
  const cluster = clusterWith(byNames);
  await placed(cluster);
  expect(cluster.messageOf('p')).toMatch(/^0\/3 nodes are available: 1 never, 2 too cold\. /);

  extender.answers = { filter: () => ({ NodeNames: ['a'] }) };
  cluster.scheduler.otherChanged({ resource: 'StorageClass', action: 'add' });
  await cluster.settle();
  expect(cluster.pod('p').spec?.nodeName).toBe('a');
});

test.each([
  ['an error', () => ({ Error: 'confused' }), 'confused'],
  [
    'a node that it was not asked about',
    () => ({ NodeNames: ['z'] }),
    'claims a filtered node "z" which is not found',
  ],
  [
    '500',
    () => undefined,
    /^failed filter with extender at URL http:\/\/127.*\/scheduler\/filter, code 500$/,
  ],
])('a pod is tried again where the extender answers with %s', async (_what, filter, message) => {
  extender.answers = { filter };
  const cluster = clusterWith(byNames);
  await placed(cluster);

  const condition = cluster.pod('p').status?.conditions?.find(({ type }) => type === 'PodScheduled');
  expect(condition).toMatchObject({ reason: 'SchedulerError', message: expect.stringMatching(message) });
  extender.answers = { filter: () => ({ NodeNames: ['a'] }) };
  await cluster.clock.advance(2_000);
  await cluster.settle();
  expect(cluster.pod('p').spec?.nodeName).toBe('a');
});

test('an extender that may be ignored comes last, and is passed over where it fails', async () => {
  extender.answers = { second: () => ({ NodeNames: ['c'] }) };

  expect(
    await placed(clusterWith({ ...byNames, ignorable: true }, { ...byNames, filterVerb: 'second' })),
  ).toBe('c');
  expect(extender.asked.map(({ verb }) => verb)).toEqual(['second', 'filter']);
});

test('each extender is asked about what those before it left', async () => {
  extender.answers = {
    filter: () => ({ NodeNames: ['a', 'b'] }),
    second: (args: never) => ({ NodeNames: names(args).slice(-1) }),
  };

  expect(await placed(clusterWith(byNames, { ...byNames, filterVerb: 'second' }))).toBe('b');
});

test("an extender's scores count by its weight beside those of plugins", async () => {
  extender.answers = {
    prioritize: () => [
      { Host: 'b', Score: 10 },
      { Host: 'c', Score: 9 },
    ],
  };

  expect(await placed(clusterWith({ prioritizeVerb: 'prioritize', weight: 100 }))).toBe('b');
});

test('an extender that fails to score adds nothing', async () => {
  expect(await placed(clusterWith({ prioritizeVerb: 'prioritize', weight: 100 }))).toBeDefined();
});

test('an extender is called only for pods that request its resources, including init containers', async () => {
  extender.answers = { filter: () => ({ NodeNames: ['b'] }) };
  const managedResources = [{ name: 'example.com/a', ignoredByScheduler: true }];
  const cluster = clusterWith({ ...byNames, managedResources });
  cluster.setPod(pod('other'));
  await cluster.settle();
  expect(cluster.pod('other').spec?.nodeName).toBeDefined();
  expect(extender.asked).toEqual([]);

  const limits = { 'example.com/a': '1' };
  const initContainers = [{ name: 'i', image: 'img:1', resources: { limits, requests: limits } }];
  expect(await placed(cluster, pod('p', { spec: { initContainers } }))).toBe('b');
});

test('an extender binds in place of the binder', async () => {
  const cluster = clusterWith({ bindVerb: 'bind' });
  extender.answers = {
    bind: ({ PodName, Node }: { PodName: string; Node: string }) => {
      void cluster.bind(cluster.pod(PodName), Node);
      return {};
    },
  };

  const nodeName = await placed(cluster);
  const { uid } = cluster.pod('p').metadata!;
  expect(extender.asked).toEqual([
    { verb: 'bind', args: { PodName: 'p', PodNamespace: 'default', PodUID: uid, Node: nodeName } },
  ]);
  expect(cluster.events).toEqual([`Scheduled p: Successfully assigned default/p to ${nodeName}`]);
});

test('a pod that an extender fails to bind is tried again, in its words', async () => {
  extender.answers = { bind: () => ({ Error: 'not today' }) };
  const cluster = clusterWith({ bindVerb: 'bind' });

  expect(await placed(cluster)).toBeUndefined();
  expect(cluster.messageOf('p')).toBe('not today');
});

test('an extender says where room is made, and by whom', async () => {
  const cluster = clusterWith({ preemptVerb: 'preempt', nodeCacheCapable: true });
  const requests = { cpu: '3' };
  for (const name of ['a', 'b', 'c'])
    cluster.setPod(
      pod(`on-${name}`, { metadata: { uid: name }, spec: { nodeName: name, priority: 1, requests } }),
    );
  extender.answers = {
    preempt: () => ({ NodeNameToMetaVictims: { c: { Pods: [{ UID: 'c' }], NumPDBViolations: 0 } } }),
  };

  expect(await placed(cluster, pod('p', { spec: { priority: 5, requests } }))).toBe('c');
  expect(extender.asked[0]?.args).toMatchObject({
    NodeNameToVictims: null,
    NodeNameToMetaVictims: { a: { Pods: [{ UID: 'a' }], NumPDBViolations: 0 } },
  });
});

test.each([
  [{}, 'no candidate node for preemption'],
  [{ a: { Pods: [] } }, 'expected at least one victim pod on node "a"'],
  [{ z: { Pods: [{ UID: 'a' }] } }, 'nodeinfo not found for node name "z"'],
  [
    { a: { Pods: [{ UID: 'b' }] } },
    'claims to preempt pod (UID: &{b}) on node: a, but the pod is not found on that node',
  ],
])('nobody is preempted where the extender answers %j', async (victims, message) => {
  const cluster = clusterWith({ preemptVerb: 'preempt' });
  const requests = { cpu: '3' };
  for (const name of ['a', 'b', 'c'])
    cluster.setPod(
      pod(`on-${name}`, { metadata: { uid: name }, spec: { nodeName: name, priority: 1, requests } }),
    );
  extender.answers = { preempt: () => ({ NodeNameToMetaVictims: victims }) };

  expect(await placed(cluster, pod('p', { spec: { priority: 5, requests } }))).toBeUndefined();
  expect(cluster.messageOf('p')).toContain(message);
});

test('an extender that says nothing is given up after its timeout', async () => {
  const asked = Promise.withResolvers<void>();
  extender.answers = {
    filter: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
  };
  const clock = new ManualClock();
  const configuration = { ...byNames, urlPrefix: extender.urlPrefix, httpTimeout: '200ms' };
  const [silent] = configuredExtenders(
    completeConfiguration({ extenders: [configuration] }).extenders!,
    clock,
  );
  closing.push(async () => silent?.close?.());
  const refusal = expect(silent?.filter?.(pod('p'), [])).rejects.toThrow(
    /^Post "http.*\/filter": context deadline exceeded \(Client.Timeout exceeded while awaiting headers\)$/,
  );
  await asked.promise;
  await clock.advance(200);

  await refusal;
});

test('what changes while an extender is asked is seen after its answer', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<unknown>();
  extender.answers = {
    filter: () => {
      asked.resolve();
      return answer.promise;
    },
  };
  const cluster = clusterWith(byNames);
  cluster.setPod(pod('p'));
  cluster.scheduler.scheduleNext();
  await asked.promise;
  cluster.removeNode('a');
  expect(cluster.scheduler.cluster.node('a')).toBeDefined();
  expect(cluster.scheduler.scheduleNext()).toBe(false);

  answer.resolve({ NodeNames: [] });
  await cluster.scheduler.settled();
  expect(cluster.scheduler.cluster.node('a')).toBeUndefined();
  expect(cluster.messageOf('p')).toMatch(/^0\/3 nodes are available:/);
  expect(cluster.scheduler.queue.placeOf(cluster.pod('p').metadata!.uid!)).toBe('backoff');
});
