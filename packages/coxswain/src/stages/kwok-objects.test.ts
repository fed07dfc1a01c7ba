import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom, systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { noNetwork } from '@coxswain/simulated-nodes/network/pod-network.ts';
import { createCluster } from '../testing/create-cluster.ts';
import { entryFor, parseKwok } from './kwok-objects.ts';
import { playedNode } from './played-pods.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-kwok-'));
const logsFile = path.join(directory, 'web.log');

beforeAll(() => {
  writeFileSync(logsFile, '2026-01-01T00:00:01.5Z stdout F up\n2026-01-01T00:00:02Z stderr F and running\n');
});
afterAll(() => rmSync(directory, { recursive: true }));

const kwok = (kind: string, name: string, spec: object): string =>
  `${JSON.stringify({ apiVersion: 'kwok.x-k8s.io/v1alpha1', kind, metadata: { name }, spec })}\n---\n`;

const pod = (name: string, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', annotations },
  spec: {
    nodeName: 'played',
    containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '100m' } } }],
  },
});

const running = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-runs }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector: { matchExpressions: [{ key: .status.phase, operator: In, values: [Pending] }] }
  next: { statusTemplate: 'phase: Running' }
---
`;

test('a rule for a pod by name excludes all others, and an entry for a container by name takes precedence', () => {
  const { rules } = parseKwok(
    kwok('ClusterLogs', 'all', { logs: [{ logsFile: 'all' }, { containers: ['web'], logsFile: 'web' }] }) +
      kwok('ClusterLogs', 'few', { selector: { matchNames: ['b'] }, logs: [{ logsFile: 'few' }] }) +
      kwok('Logs', 'c', { logs: [{ containers: ['web'], logsFile: 'own' }] }),
  );
  const file = (name: string, container: string) =>
    entryFor(rules.logs, { namespace: 'default', name }, container)?.logsFile;

  expect([file('a', 'web'), file('a', 'other'), file('b', 'other')]).toEqual(['web', 'all', 'all']);
  expect([file('c', 'web'), file('c', 'other')]).toEqual(['own', undefined]);
});

test('a document that is not a kwok object is refused with its line', () => {
  expect(() => parseKwok(`${running}kind: Pod`)).toThrow(
    /^line 10: expected a kwok object .* Stage, Metric, ResourceUsage/,
  );
  expect(() => parseKwok(kwok('Logs', 'a', {}).replace('"spec":{}', '"other":{}'))).toThrow(
    'Logs requires metadata.name and spec',
  );
});

test('expressions say what pods use, to top and to autoscalers', async () => {
  await using cluster = await createCluster({
    seed: 1,
    nodes: 0,
    stages:
      running +
      kwok('ClusterResourceUsage', 'by-annotation', {
        usages: [
          {
            usage: {
              cpu: {
                expression:
                  '"load" in pod.metadata.annotations ? Quantity(pod.metadata.annotations["load"]) * 2.0 : container.resources.requests["cpu"] / 2.0',
              },
              memory: { expression: 'Quantity("1Mi") * (pod.SinceSecond() / 60.0)' },
            },
          },
        ],
      }) +
      kwok('ResourceUsage', 'fixed', { usages: [{ containers: ['web'], usage: { cpu: { value: 2 } } }] }),
  });
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'played', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
  };
  await cluster.apply([node, pod('idle'), pod('busy', { load: '150m' }), pod('fixed')]);
  await cluster.clock.advance('2m');

  const { items } = await cluster.client
    .resource<KubeObject & { containers: { usage: object }[] }>('metrics.k8s.io/v1beta1', 'pods')
    .namespace('default')
    .list();
  const used = Object.fromEntries(
    items.map(({ metadata, containers }) => [metadata.name, containers[0]?.usage]),
  );
  expect(used).toMatchObject({
    busy: { cpu: '300m', memory: expect.stringMatching(/^\d+$/) },
    idle: { cpu: '50m' },
    fixed: { cpu: '2' },
  });
  // Creating the cluster took some time, so the pod is older than two minutes.
  expect(Number((used['busy'] as { memory: string }).memory) / 2 ** 20).toBeCloseTo(2, 1);
  expect(await cluster.client.resource('metrics.k8s.io/v1beta1', 'nodes').get('played')).toMatchObject({
    usage: { cpu: '2350m' },
  });
});

test('logs of played pods are files of this machine', async () => {
  await using cluster = await createCluster({
    seed: 1,
    nodes: 0,
    stages: running + kwok('Logs', 'talks', { logs: [{ logsFile }] }),
  });
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'played', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
  };
  await cluster.apply([node, pod('talks'), pod('mute')]);
  await cluster.idle();

  expect(await cluster.logs('talks')).toBe('up\nand running\n');
  expect(await cluster.logs('talks', { tailLines: 1, timestamps: true })).toBe(
    '2026-01-01T00:00:02.000000000Z and running\n',
  );
  await expect(cluster.logs('mute')).rejects.toThrow(
    'no logs found for container "web" in pod "default/mute"',
  );
  const page = await cluster.transport.send({
    method: 'GET',
    path: '/api/v1/nodes/played/proxy/pods',
    headers: {},
  });
  expect(new TextDecoder().decode(await page.bytes())).toContain('"name":"mute"');
});

test('a Metric is a page of each node, for those who ask its kubelet', async () => {
  await using cluster = await createCluster({
    seed: 1,
    nodes: 0,
    stages:
      running +
      kwok('ClusterResourceUsage', 'all', { usages: [{ usage: { cpu: { value: '200m' } } }] }) +
      kwok('Metric', 'own', {
        path: '/metrics/nodes/{nodeName}/own',
        metrics: [
          {
            name: 'cores',
            kind: 'gauge',
            dimension: 'container',
            help: 'In use.',
            labels: [{ name: 'pod', value: 'pod.metadata.name' }],
            value: 'pod.Usage("cpu", container.name)',
          },
          { name: 'core_seconds', kind: 'counter', dimension: 'node', value: 'node.CumulativeUsage("cpu")' },
          {
            name: 'sizes',
            kind: 'histogram',
            dimension: 'node',
            buckets: [
              { le: 1, value: '2' },
              { le: 2, value: '1', hidden: true },
              { le: 4, value: '3' },
            ],
          },
        ],
      }),
  });
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'played', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
  };
  await cluster.apply([node, pod('a')]);
  await cluster.idle();
  const path = '/api/v1/nodes/played/proxy/metrics/nodes/played/own';
  const page = async () => {
    const answer = await cluster.transport.send({ method: 'GET', path, headers: {} });
    return new TextDecoder().decode(await answer.bytes());
  };
  await page();
  await cluster.clock.advance('1m');

  expect(await page()).toBe(
    [
      '# HELP cores In use.',
      '# TYPE cores gauge',
      'cores{pod="a"} 0.2',
      '# HELP core_seconds ',
      '# TYPE core_seconds counter',
      'core_seconds 12',
      '# HELP sizes ',
      '# TYPE sizes histogram',
      'sizes_bucket{le="1"} 2',
      'sizes_bucket{le="4"} 6',
      'sizes_bucket{le="+Inf"} 6',
      'sizes_sum 16',
      'sizes_count 6',
      '',
    ].join('\n'),
  );
});

test('exec has a simulated shell, and a port leads where its target says', async () => {
  const server = net.createServer((socket) => socket.end('hello'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const { rules } = parseKwok(
    kwok('ClusterExec', 'all', {
      execs: [{ local: { workDir: '/tmp', envs: [{ name: 'COLOUR', value: 'blue' }] } }],
    }) +
      kwok('ClusterPortForward', 'all', {
        forwards: [{ ports: [80], target: { address: '127.0.0.1', port } }],
      }) +
      kwok('Attach', 'web', { attaches: [{ logsFile }] }),
  );
  const node = playedNode(
    {
      rules,
      clock: systemClock,
      random: seededRandom(1),
      network: noNetwork,
      podsOn: () => [pod('web') as unknown as Pod],
    },
    'played',
  );
  const target = { namespace: 'default', name: 'web', container: 'web' };
  let written = '';
  const stdout = (chunk: Uint8Array) => void (written += new TextDecoder().decode(chunk));

  expect(await node.exec(target, ['sh', '-c', 'echo $COLOUR; pwd; exit 3'], { stdout })).toBe(3);
  await node.portForward(target, 80, { stdout });
  expect(written).toBe('blue\n/tmp\nhello');
  await expect(node.portForward(target, 81, { stdout })).rejects.toThrow('no target for port 81');

  const leaving = new AbortController();
  written = '';
  const attached = node.attach(target, {
    signal: leaving.signal,
    stdout: (chunk) => {
      void stdout(chunk);
      leaving.abort();
    },
  });
  await attached;
  expect(written).toBe('up\nand running\n');
  server.close();
});
