import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { createClient } from '@coxswain/client';
import { expect, test } from 'vitest';
import { failure, PodServer } from '../../test/pod-server.ts';
import { defaultNodePace, NodeAgent, type NodeAgentOptions } from './node-agent.ts';
import { nodeObject } from './node-object.ts';
import { numberedNode } from '@coxswain/simulated-nodes/numbered-nodes.ts';

function makeAgent(more: Partial<NodeAgentOptions> = {}) {
  const clock = new ManualClock();
  const server = new PodServer();
  const stopping = new AbortController();
  const agent = new NodeAgent({
    client: createClient({ transport: server, clock }),
    clock,
    random: seededRandom(1),
    spec: { ...numberedNode(3), labels: { disk: 'ssd' }, taints: [{ key: 'k', effect: 'NoSchedule' }] },
    runtimeVersion: 'containerd://2.1.0-simulated',
    signal: stopping.signal,
    onError: () => {},
    ...more,
  });
  const lines = () => server.requests.map(({ line }) => line);
  return { clock, server, agent, lines, stop: () => stopping.abort() };
}

test('a node registers ready, with labels, taints, addresses and the version of the API level', async () => {
  const { server, agent } = makeAgent();
  await agent.register();

  expect(server.requests[0]?.line).toBe('POST /api/v1/nodes');
  expect(server.requests[0]?.body).toMatchObject({
    metadata: {
      name: 'node-3',
      labels: { 'kubernetes.io/hostname': 'node-3', 'kubernetes.io/os': 'linux', disk: 'ssd' },
    },
    spec: { podCIDR: '10.244.3.0/24', taints: [{ key: 'k', effect: 'NoSchedule' }] },
    status: {
      addresses: [
        { type: 'InternalIP', address: '172.20.0.5' },
        { type: 'Hostname', address: 'node-3' },
      ],
      nodeInfo: { kubeletVersion: 'v1.36.3' },
    },
  });
  const { conditions } = (
    server.requests[0]!.body as { status: { conditions: { type: string; status: string }[] } }
  ).status;
  expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'MemoryPressure=False',
    'DiskPressure=False',
    'PIDPressure=False',
    'Ready=True',
  ]);
});

test('a registered node keeps what others added to it', async () => {
  const { server, agent, lines } = makeAgent();
  server.answers.push(failure(409, 'AlreadyExists'));
  await agent.register();

  expect(lines()).toEqual([
    'POST /api/v1/nodes',
    'PATCH /api/v1/nodes/node-3',
    'PATCH /api/v1/nodes/node-3/status',
  ]);
  expect(server.requests[1]?.body).toEqual({
    metadata: { labels: expect.objectContaining({ disk: 'ssd' }) },
  });
});

test('a server that is not there yet is asked again', async () => {
  const { clock, server, agent, lines } = makeAgent();
  server.answers.push(failure(503, 'ServiceUnavailable'));
  const registered = agent.register();
  await clock.advance(1_000);
  await registered;

  expect(lines()).toHaveLength(2);
});

test('the lease is created once, then renewed four times in its duration, and the status reported every few minutes', async () => {
  const { clock, agent, lines, stop } = makeAgent();
  await agent.register();
  const running = agent.run();
  await clock.advance(defaultNodePace.leaseDurationSeconds * 1_000);
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  expect(lines().slice(1, 3)).toEqual([`POST ${leases}`, `PUT ${leases}/node-3`]);
  expect(lines().filter((line) => line.includes('leases'))).toHaveLength(4);

  await clock.advance(8 * 60_000);
  expect(lines().filter((line) => line.startsWith('PATCH'))).toEqual(['PATCH /api/v1/nodes/node-3/status']);
  stop();
  await clock.advance(0);
  await running;
});

test('a real node is checked and reported as often as its settings specify', async () => {
  let looks = 0;
  const known = nodeObject(numberedNode(3), 'containerd://2.1.0', 0);
  const describe = async () => {
    looks += 1;
    return known;
  };
  const pace = { leaseDurationSeconds: 400, statusCheckEveryMs: 60_000, statusReportEveryMs: 600_000 };
  const { clock, server, agent, lines, stop } = makeAgent({ describe, pace });
  server.stored = known;
  await agent.register();
  const running = agent.run();
  for (let minute = 0; minute < 30; minute++) await clock.advance(60_000);
  stop();
  await clock.advance(0);
  await running;

  const countOf = (method: string) => lines().filter((line) => line.startsWith(method)).length;
  expect(looks).toBeGreaterThanOrEqual(29);
  expect(looks).toBeLessThanOrEqual(31);
  expect(countOf('PATCH')).toBe(3);
  // A lease of 400 s, renewed every 100 s.
  expect(countOf('PUT')).toBeGreaterThanOrEqual(16);
  expect(countOf('PUT')).toBeLessThanOrEqual(18);
});

test('resources added to the capacity of a simulated node are allocatable until they are removed', async () => {
  const { server, agent } = makeAgent();
  const node = nodeObject(numberedNode(3), 'containerd://2.1.0', 0);
  const known = (capacity: object, allocatable: object) => ({
    ...node,
    status: {
      ...node.status,
      capacity: { ...node.status.capacity, ...capacity },
      allocatable: { ...node.status.allocatable, ...allocatable },
    },
  });
  const gadgets = { 'example.com/gadget': '4' };
  await agent.nodeChanged(known({}, {}));
  await agent.nodeChanged(known(gadgets, gadgets));
  expect(server.requests).toEqual([]);

  await agent.nodeChanged(known(gadgets, {}));
  expect(server.requests[0]).toMatchObject({
    line: 'PATCH /api/v1/nodes/node-3/status',
    body: { status: { allocatable: gadgets } },
  });
  await agent.nodeChanged(known({}, gadgets));
  expect(server.requests[1]).toMatchObject({
    body: { status: { allocatable: { 'example.com/gadget': null } } },
  });
});
