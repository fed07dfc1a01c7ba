import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';
import { expect, test } from 'vitest';
import { listensOn } from '../cluster-network/listening.ts';
import { simulateProbe } from './simulated-probe.ts';

const container = (more: object = {}) => ({ name: 'c', image: 'app:1', ...more }) as Container;
const declared = { ports: [{ name: 'web', containerPort: 80 }] };

const probed = (probe: object, spec: Container, annotations: Readonly<Record<string, string>> = {}) => {
  const pod = { metadata: { annotations }, spec: { containers: [spec] } } as Pod;
  return simulateProbe(probe as Probe, {
    spec,
    host: '10.0.0.5',
    listens: (port) => listensOn(pod, spec, port),
  });
};

const refused = (port: number) => `dial tcp 10.0.0.5:${port}: connect: connection refused`;

test.each([
  ['TCP', { tcpSocket: { port: 81 } }, refused(81)],
  ['HTTP', { httpGet: { port: 81 } }, `Get "http://10.0.0.5:81/": ${refused(81)}`],
  [
    'HTTPS',
    { httpGet: { port: 81, path: 'x', scheme: 'HTTPS' } },
    `Get "https://10.0.0.5:81/x": ${refused(81)}`,
  ],
  [
    'gRPC',
    { grpc: { port: 81 } },
    `error: failed to connect service at "10.0.0.5:81": connection error: desc = "transport: error while dialing: ${refused(81)}"`,
  ],
  ['a port that it does not name', { tcpSocket: { port: 'admin' } }, "couldn't find port: admin"],
])('a probe fails where nobody listens: %s', async (_what, probe, output) => {
  expect(await probed(probe, container(declared))).toEqual({ success: false, output });
});

test.each([
  ['a declared port', { tcpSocket: { port: 80 } }, container(declared), {}],
  ['a declared port by its name', { httpGet: { port: 'web' } }, container(declared), {}],
  ['gRPC on a declared port', { grpc: { port: 80 } }, container(declared), {}],
  ['any port of what declares none', { tcpSocket: { port: 4242 } }, container(), {}],
  ['what an image is known to open', { tcpSocket: { port: 80 } }, container({ image: 'nginx:1' }), {}],
  [
    'what an annotation says',
    { tcpSocket: { port: 81 } },
    container(declared),
    { 'sim.coxswain.io/listen': '81' },
  ],
  ['another machine', { tcpSocket: { port: 1, host: '192.0.2.1' } }, container(declared), {}],
])('a probe goes well: %s', async (_what, probe, spec, annotations) => {
  expect((await probed(probe, spec, annotations)).success).toBe(true);
});

test.each([
  ['a known image', container({ image: 'docker.io/library/nginx:1.29' })],
  ['a script that listens nowhere', container({ image: 'busybox', command: ['sleep', '3600'] })],
])('a port that is not open is refused: %s', async (_what, spec) => {
  expect((await probed({ tcpSocket: { port: 8080 } }, spec)).success).toBe(false);
});
