import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { createClient } from '@coxswain/client';
import { expect, test } from 'vitest';
import { annotated, pod } from '../test/one-pod.ts';
import { PodServer } from '../test/pod-server.ts';
import type { LogOptions } from './connection.ts';
import { Kubelet } from './kubelet.ts';
import { numberedNode } from '@coxswain/simulated-nodes/numbered-nodes.ts';
import { SimulatedRuntime } from '@coxswain/simulated-nodes/simulated-runtime.ts';
import { StatusWriter } from './status/status-writer.ts';

function makeNode(capacity: Record<string, string> = {}) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const server = new PodServer();
  const warnings: string[] = [];
  const pods = createClient({ transport: server, clock }).resource('v1', 'pods') as never;
  const spec = { ...numberedNode(0), capacity };
  const kubelet = new Kubelet({
    spec,
    runtime: new SimulatedRuntime({ clock, random: seededRandom(1), podCidr: spec.podCidr }),
    clock,
    writer: new StatusWriter({ pods, clock, onError: () => {} }),
    node: () => undefined,
    event: ({ metadata }, { type, reason, message }) => {
      if (type === 'Warning') warnings.push(`${metadata?.name} ${reason}: ${message}`);
    },
    onError: () => {},
  });
  const statusOf = (name: string) => {
    const written = server.requests.findLast(({ line }) => line.includes(`/${name}/status`));
    return (written?.body as { status: Record<string, unknown> } | undefined)?.status;
  };
  const lastStatus = () => (server.requests.at(-1)!.body as { status: Record<string, unknown> }).status;
  return { clock, server, kubelet, lastStatus, statusOf, warnings };
}

const named = (name: string, spec: object = {}, metadata: object = {}): Pod =>
  pod(spec, { name, uid: name, ...metadata });
const hostPort = {
  containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80, hostPort: 8080 }] }],
};

test('a pod that wants a host port in use fails', async () => {
  const { clock, kubelet, lastStatus } = makeNode();
  kubelet.podChanged(named('first', hostPort));
  kubelet.podChanged(named('second', hostPort));
  await clock.advance(1);

  expect(lastStatus()).toMatchObject({
    phase: 'Failed',
    reason: 'NodePorts',
    message:
      "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  });
});

test('a pod that asks for more than the node has left fails', async () => {
  const { clock, kubelet, lastStatus } = makeNode({ cpu: '1' });
  const spec = { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '600m' } } }] };
  kubelet.podChanged(named('first', spec));
  kubelet.podChanged(named('second', spec));
  await clock.advance(1);

  expect(lastStatus()).toMatchObject({
    reason: 'OutOfcpu',
    message:
      "Pod was rejected: Node didn't have enough resource: cpu, requested: 600, used: 600, capacity: 1000",
  });
});

test('a critical pod gets its room from others, and who comes meanwhile is looked at afterwards', async () => {
  const { clock, kubelet, statusOf, warnings } = makeNode({ cpu: '1' });
  const asking = (cpu: string, more: object = {}) => ({
    containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }],
    ...more,
  });
  const slow = annotated({ 'stop-delay': '5s' });
  kubelet.podChanged(named('first', asking('600m', { terminationGracePeriodSeconds: 30 }), slow));
  await clock.advance(1_000);
  kubelet.podChanged(named('critical', asking('500m', { priority: 2_000_000_000 })));
  kubelet.podChanged(named('late', asking('500m')));
  await clock.advance(1_000);
  expect(statusOf('critical')).toBeUndefined();
  await clock.advance(10_000);

  expect(statusOf('first')).toMatchObject({
    phase: 'Failed',
    reason: 'Preempting',
    message: 'Preempted in order to admit critical pod',
    conditions: expect.arrayContaining([
      expect.objectContaining({
        type: 'DisruptionTarget',
        reason: 'TerminationByKubelet',
        message: 'Pod was preempted by Kubelet to accommodate a critical pod.',
      }),
    ]),
  });
  expect(warnings).toEqual(['first Preempting: Preempted in order to admit critical pod']);
  expect(statusOf('critical')).toMatchObject({ phase: 'Running' });
  expect(statusOf('late')).toMatchObject({ phase: 'Running' });
});

test('a pod comes up with one write and goes with two', async () => {
  const { clock, server, kubelet } = makeNode();
  kubelet.podChanged(named('web'));
  await clock.advance(1);
  expect(server.requests).toHaveLength(1);

  const stopping = { deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 };
  kubelet.podChanged(named('web', {}, stopping));
  await clock.advance(1);
  expect(server.requests.map(({ line }) => line.split(' ')[0])).toEqual(['PATCH', 'PATCH', 'DELETE']);
});

test('the address of a pod that is gone is given to another when all were used', async () => {
  const { clock, kubelet } = makeNode({ pods: '300' });
  for (let index = 0; index < 253; index++) kubelet.podChanged(named(`p${index}`));
  await clock.advance(1);
  kubelet.podGone(named('p7'));
  await clock.advance(1);
  kubelet.podChanged(named('late'));
  await clock.advance(1);

  const lines = await logText(kubelet, 'late');
  expect(lines).toContain('started on node-0');
});

async function logText(
  kubelet: Kubelet,
  name: string,
  options: LogOptions = {},
  container = 'c',
): Promise<string> {
  let text = '';
  for await (const chunk of await kubelet.logs({ namespace: 'default', name, container }, options)) {
    text += new TextDecoder().decode(chunk);
  }
  return text;
}

test('logs are the lines of the template, cut as asked', async () => {
  const { clock, kubelet } = makeNode();
  kubelet.podChanged(named('web', {}, annotated({ log: 'one\ntwo {pod}\nthree' })));
  await clock.advance(1);

  expect(await logText(kubelet, 'web')).toBe('one\ntwo web\nthree\n');
  expect(await logText(kubelet, 'web', { tailLines: 1 })).toBe('three\n');
  expect(await logText(kubelet, 'web', { limitBytes: 6 })).toBe('one\ntw');
  expect(await logText(kubelet, 'web', { tailLines: 1, timestamps: true })).toMatch(
    /^2026-01-01T00:00:00\.\d{9}Z three\n$/,
  );
  expect(await logText(kubelet, 'web', { sinceMs: clock.now() + 1_000 })).toBe('');
});

test('a container that was restarted keeps the log of the run before', async () => {
  const { clock, kubelet } = makeNode();
  kubelet.podChanged(
    named('web', { containers: [{ name: 'c', image: 'b', command: ['sh', '-c', 'echo out; exit 1'] }] }),
  );
  await clock.advance(1);

  expect(await logText(kubelet, 'web', { previous: true })).toBe('out\n');
});

test('a log that is followed ends with its container', async () => {
  const { clock, kubelet } = makeNode();
  kubelet.podChanged(
    named('web', {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'b', command: ['sleep', '5'] }],
    }),
  );
  await clock.advance(1);
  let ended = false;
  const reading = logText(kubelet, 'web', { follow: true }).then(() => (ended = true));
  await clock.advance(1_000);
  expect(ended).toBe(false);

  await clock.advance(5_000);
  await reading;
});

test.each([
  ['nobody', 'c', {}, 'pods "nobody" not found'],
  ['web', 'x', {}, 'container x is not valid for pod web'],
  ['web', 'c', { previous: true }, 'previous terminated container "c" in pod "web" not found'],
])('asking for the log of %s/%s fails clearly', async (name, container, options, message) => {
  const { clock, kubelet } = makeNode();
  kubelet.podChanged(named('web'));
  await clock.advance(1);

  await expect(logText(kubelet, name, options, container)).rejects.toThrow(message);
});

test('exec runs the commands that the simulation supports and reports others', async () => {
  const { clock, kubelet } = makeNode();
  kubelet.podChanged(named('web'));
  await clock.advance(1);
  const target = { namespace: 'default', name: 'web', container: 'c' };
  let out = '';
  const streams = { stdout: (chunk: Uint8Array) => void (out += new TextDecoder().decode(chunk)) };

  expect(await kubelet.exec(target, ['hostname'], streams)).toBe(0);
  expect(out).toBe('web\n');
  await expect(kubelet.exec(target, ['vi'], streams)).rejects.toThrow(
    'exec: "vi": executable file not found in $PATH: unknown',
  );
});
