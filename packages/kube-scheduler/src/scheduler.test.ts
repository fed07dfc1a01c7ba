import { expect, test } from 'vitest';
import type { Extender } from './framework/extender.ts';
import { MemoryCluster, node, pod } from '../test/memory-cluster.ts';

const noSchedule = [{ key: 'k', value: 'v', effect: 'NoSchedule' }];
const notHelpful = (nodes: number) =>
  ` no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`;
const nobody = (nodes: number) =>
  ` no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${nodes} No preemption victims found for incoming pod.`;

async function schedule(
  nodes: readonly Parameters<MemoryCluster['setNode']>[0][],
  ...pods: Parameters<MemoryCluster['setPod']>[0][]
) {
  const cluster = new MemoryCluster();
  for (const one of nodes) cluster.setNode(one);
  for (const one of pods) {
    cluster.setPod(one);
    await cluster.settle();
  }
  return cluster;
}

test('a pod goes to the node that has room, with an event that says so', async () => {
  const cluster = await schedule(
    [node('a', { allocatable: { cpu: '1' } }), node('b', { allocatable: { cpu: '4' } })],
    pod('p', { spec: { requests: { cpu: '3' } } }),
  );

  expect(cluster.nodeOf('p')).toBe('b');
  expect(cluster.events).toEqual(['Scheduled p: Successfully assigned default/p to b']);
});

test.each([
  ['cpu on every node', [node('a')], { requests: { cpu: '9' } }, `1 Insufficient cpu.${notHelpful(1)}`],
  [
    'cpu and memory at once',
    [node('a')],
    { requests: { cpu: '9', memory: '9Gi' } },
    `1 Insufficient cpu, 1 Insufficient memory.${notHelpful(1)}`,
  ],
  [
    'a resource that no node has',
    [node('a')],
    { requests: { 'example.com/dongle': '1' } },
    `1 Insufficient example.com/dongle.${notHelpful(1)}`,
  ],
  [
    'a cordoned node',
    [node('a', { spec: { unschedulable: true } })],
    {},
    `1 node(s) were unschedulable.${notHelpful(1)}`,
  ],
  ['a taint', [node('a', { taints: noSchedule })], {}, `1 node(s) had untolerated taint(s).${notHelpful(1)}`],
  [
    'the selector',
    [node('a'), node('b')],
    { nodeSelector: { want: 'y' } },
    `2 node(s) didn't match Pod's node affinity/selector.${notHelpful(2)}`,
  ],
  ['room for one more pod', [node('a', { allocatable: { pods: '0' } })], {}, `1 Too many pods.${nobody(1)}`],
  [
    'different things on different nodes, sorted as text',
    [
      node('a', { labels: { want: 'y' }, allocatable: { cpu: '1' } }),
      node('b', { taints: noSchedule }),
      node('c'),
    ],
    { requests: { cpu: '2' }, nodeSelector: { want: 'y' } },
    `1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).${notHelpful(3)}`,
  ],
])('a pod that misses %s is told so', async (_what, nodes, spec, reasons) => {
  const cluster = await schedule(nodes, pod('p', { spec }));
  const message = `0/${nodes.length} nodes are available: ${reasons}`;

  expect(cluster.messageOf('p')).toBe(message);
  expect(cluster.events).toEqual([`FailedScheduling p: ${message}`]);
  expect(cluster.pod('p').status?.conditions?.[0]).toMatchObject({
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    observedGeneration: 1,
  });
});

test('terms that name their nodes leave the others unlooked at', async () => {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['gone'] }];
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  };
  const cluster = await schedule([node('a'), node('b')], pod('p', { spec: { affinity: { nodeAffinity } } }));

  expect(cluster.messageOf('p')).toBe(
    `0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity].${notHelpful(2)}`,
  );
});

test('without nodes the pod waits, and is tried again by itself', async () => {
  const cluster = await schedule([], pod('p'));
  expect(cluster.messageOf('p')).toBe('no nodes available to schedule pods');

  cluster.setNode(node('a'));
  await cluster.clock.advance(2_000);
  await cluster.settle();
  expect(cluster.nodeOf('p')).toBe('a');
});

test('a pod of a scheduler that is not here gets nothing', async () => {
  const cluster = await schedule([node('a')], pod('p', { spec: { schedulerName: 'nobody' } }));

  expect(cluster.events).toEqual([]);
  expect(cluster.pod('p').status).toBeUndefined();
});

test('a gated pod is not tried until its last gate is gone', async () => {
  const cluster = await schedule([node('a')], pod('p', { spec: { schedulingGates: [{ name: 'g' }] } }));
  expect(cluster.events).toEqual([]);

  cluster.setPod(pod('p', { metadata: { generation: 2 } }));
  await cluster.settle();
  expect(cluster.nodeOf('p')).toBe('a');
});

test.each([
  ['a pod leaves', (cluster: MemoryCluster) => cluster.finish('first')],
  ['a node comes', (cluster: MemoryCluster) => cluster.setNode(node('b'))],
  ['the node grows', (cluster: MemoryCluster) => cluster.setNode(node('a', { allocatable: { cpu: '8' } }))],
])('a pod that found no room is placed when %s', async (_what, change) => {
  const spec = { requests: { cpu: '3' } };
  const cluster = await schedule([node('a')], pod('first', { spec }), pod('second', { spec }));
  expect(cluster.nodeOf('second')).toBeUndefined();

  change(cluster);
  await cluster.settle();
  expect(cluster.nodeOf('second')).toBeDefined();
});

test('a heartbeat of a node wakes no pod', async () => {
  const cluster = await schedule([node('a')], pod('p', { spec: { requests: { cpu: '9' } } }));
  cluster.setNode({ ...node('a'), status: { ...node('a').status, conditions: [] } });
  await cluster.settle();

  expect(cluster.events).toHaveLength(1);
});

test('a refused binding is reported as the error of its plugin and retried', async () => {
  const cluster = new MemoryCluster();
  cluster.setNode(node('a'));
  cluster.refuseBinding = new Error('no');
  cluster.setPod(pod('p'));
  await cluster.settle();
  expect(cluster.pod('p').status?.conditions?.[0]).toMatchObject({
    reason: 'SchedulerError',
    message: 'running Bind plugin "DefaultBinder": no',
  });

  await cluster.clock.advance(2_000);
  await cluster.settle();
  expect(cluster.nodeOf('p')).toBe('a');
});

test('a pod is bound after the reason why it waited was written, however long that takes', async () => {
  const cluster = new MemoryCluster();
  const held = Promise.withResolvers<void>();
  cluster.statusHeldUntil = held.promise;
  cluster.setNode(node('small', { allocatable: { cpu: '1' } }));
  cluster.setPod(pod('p', { spec: { requests: { cpu: '2' } } }));
  cluster.scheduler.scheduleNext();
  cluster.setNode(node('large'));
  await cluster.clock.advance(2_000);
  cluster.scheduler.scheduleNext();
  held.resolve();
  await cluster.settle();

  expect(cluster.nodeOf('p')).toBe('large');
  expect(cluster.pod('p').status?.conditions).toEqual([{ type: 'PodScheduled', status: 'True' }]);
});

test('the pod of higher priority takes the place of the cheapest victims', async () => {
  const cluster = await schedule(
    [node('a')],
    pod('low', { spec: { requests: { cpu: '2' }, priority: 1 } }),
    pod('middle', { spec: { requests: { cpu: '2' }, priority: 5 } }),
    pod('vip', { spec: { requests: { cpu: '2' }, priority: 100 } }),
  );

  expect(cluster.nodeOf('vip')).toBe('a');
  expect(cluster.nodeOf('middle')).toBe('a');
  expect(cluster.events).toContain('FailedScheduling vip: 0/1 nodes are available: 1 Insufficient cpu.');
  expect(cluster.events).toContain(
    `Preempted low: Preempted by pod ${cluster.pod('vip').metadata?.uid} on node a`,
  );
});

test('while the victim stops, the node is kept for the pod that evicted it', async () => {
  const cluster = new MemoryCluster();
  cluster.gracefulDeletion = true;
  cluster.setNode(node('a'));
  cluster.setPod(pod('victim', { spec: { requests: { cpu: '3' }, priority: 1 } }));
  await cluster.settle();
  cluster.setPod(pod('vip', { spec: { requests: { cpu: '3' }, priority: 100 } }));
  await cluster.settle();
  expect(cluster.pod('vip').status?.nominatedNodeName).toBe('a');

  cluster.setPod(pod('thief', { spec: { requests: { cpu: '3' } } }));
  cluster.finish('victim');
  await cluster.settle();
  expect(cluster.nodeOf('vip')).toBe('a');
  expect(cluster.nodeOf('thief')).toBeUndefined();
});

test('a pod that may not preempt says so', async () => {
  const cluster = await schedule(
    [node('a')],
    pod('low', { spec: { requests: { cpu: '3' }, priority: 1 } }),
    pod('vip', { spec: { requests: { cpu: '3' }, priority: 100, preemptionPolicy: 'Never' } }),
  );

  expect(cluster.messageOf('vip')).toBe(
    '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
  );
});

test('of two schedulers each one places its own pods by its own rules', async () => {
  const fullest = { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } };
  const plugins = { score: { disabled: [{ name: '*' }], enabled: [{ name: 'NodeResourcesFit' }] } };
  const cluster = new MemoryCluster({
    profiles: [
      { schedulerName: 'default-scheduler' },
      { schedulerName: 'packer', plugins, pluginConfig: [{ name: 'NodeResourcesFit', args: fullest }] },
    ],
  });
  for (const name of ['a', 'b']) cluster.setNode(node(name));
  const spec = { requests: { cpu: '1' } };
  for (const name of ['s1', 's2']) cluster.setPod(pod(name, { spec }));
  await cluster.settle();
  for (const name of ['p1', 'p2', 'p3']) {
    cluster.setPod(pod(name, { spec: { ...spec, schedulerName: 'packer' } }));
    await cluster.settle();
  }

  expect(cluster.nodeOf('s1')).not.toBe(cluster.nodeOf('s2'));
  expect(new Set(['p1', 'p2', 'p3'].map(cluster.nodeOf)).size).toBe(1);
});

test('a pod waits until all of its victims are seen to be gone, and preempts no others in the meantime', async () => {
  const cluster = new MemoryCluster();
  const seen = Promise.withResolvers<void>();
  for (const name of ['a', 'b']) {
    cluster.setNode(node(name));
    for (const low of [`first-${name}`, `second-${name}`]) {
      cluster.setPod(pod(low, { spec: { requests: { cpu: '2' }, nodeName: name } }));
    }
    cluster.deletionSeen.set(`second-${name}`, seen.promise);
  }
  cluster.setPod(pod('vip', { spec: { requests: { cpu: '3' }, priority: 100 } }));
  for (let turn = 0; turn < 10; turn++) {
    while (cluster.scheduler.scheduleNext());
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  expect(cluster.nodeOf('vip')).toBeUndefined();

  seen.resolve();
  await cluster.scheduler.settled();
  await cluster.settle();
  expect(cluster.events.filter((event) => event.startsWith('Preempted'))).toHaveLength(2);
});

test('each try, each extension point, and what each plugin says of nodes is a step', async () => {
  const cluster = new MemoryCluster();
  cluster.setNode(node('a'));
  cluster.setNode(node('b'));
  cluster.setPod(pod('p'));
  await cluster.settle();

  expect(cluster.steps).toEqual([
    'schedule',
    'schedule/pre-filter',
    'schedule/filter',
    'filter/NodeUnschedulable',
    'filter/NodeName',
    'filter/TaintToleration',
    'filter/NodeResourcesFit',
    'schedule/score',
    'score/TaintToleration',
    'score/NodeResourcesFit',
    'score/ImageLocality',
    'schedule/reserve',
    'schedule/permit',
    'schedule/bind',
  ]);
});

test('each plugin that refused a waiting pod says of a change whether it is worth a retry', async () => {
  const cluster = await schedule([node('a')], pod('p', { spec: { requests: { cpu: '9' } } }));
  const since = cluster.steps.length;
  cluster.setNode(node('a', { allocatable: { cpu: '10' } }));
  await cluster.settle();
  expect(cluster.steps.slice(since, since + 3)).toEqual([
    'queueing-hints',
    'queueing-hint/NodeResourcesFit',
    'schedule',
  ]);
});

test('a pod that is deleted while it is being bound takes no room from others', async () => {
  const bound = Promise.withResolvers<void>();
  const binder: Extender = {
    name: 'slow',
    isIgnorable: false,
    isInterested: () => true,
    bind: () => bound.promise,
  };
  const cluster = new MemoryCluster(undefined, [binder]);
  cluster.setNode(node('a'));
  const spec = { requests: { cpu: '3' } };
  const tried = async () => {
    while (cluster.scheduler.scheduleNext()) await cluster.scheduler.idle();
  };
  for (const name of ['p', 'q']) cluster.setPod(pod(name, { spec }));
  await tried();
  expect(cluster.messageOf('q')).toContain('1 Insufficient cpu');

  const leaving = cluster.pod('p');
  cluster.setPod({
    ...leaving,
    metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  });
  await tried();
  expect(cluster.scheduler.cache.nodeNameOf(cluster.pod('q').metadata!.uid!)).toBe('a');
  bound.resolve();
  await cluster.scheduler.settled();
});

test('a pod is tried again when a promise is taken back that stood in its way', async () => {
  const cluster = new MemoryCluster();
  cluster.setNode(node('a'));
  const spec = { requests: { cpu: '3' } };
  const promised = pod('promised', {
    spec: { ...spec, priority: 10, preemptionPolicy: 'Never', nodeSelector: { not: 'there' } },
  });
  cluster.setPod({ ...promised, status: { nominatedNodeName: 'a' } } as never);
  cluster.setPod(pod('q', { spec }));
  await cluster.settle();
  expect(cluster.nodeOf('q')).toBeUndefined();

  cluster.setPod({ ...cluster.pod('promised'), status: {} });
  await cluster.settle();
  expect(cluster.nodeOf('q')).toBe('a');
});

test('a plugin that refuses a pod before any node is looked at is a step of the attempt', async () => {
  const spec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'absent' } }] };
  const cluster = await schedule([node('a')], pod('p', { spec }));

  expect(cluster.events).toEqual([
    expect.stringContaining('0/1 nodes are available: persistentvolumeclaim "absent" not found.'),
  ]);
  expect(cluster.steps).toContainEqual(expect.stringMatching(/^refused-by\//));
});
