/** A machine that begins with a bootstrap token, and the end of it: the program itself, with real containers. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from 'node:tls';
import { isStatusError, systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { runKubelet } from '@coxswain/kubelet/command.ts';
import type { KubeletIo } from '@coxswain/kubelet/kubelet-io.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterCertificates } from 'coxswain/certificates/certificates.ts';
import { startCluster, type Cluster } from 'coxswain/cluster/cluster.ts';
import { parseBootstrapToken } from '../../packages/coxswain/src/joining/bootstrap-token.ts';
import { storeToken } from '../../packages/coxswain/src/joining/stored-tokens.ts';
import { startContainerd, whyNoContainers, type Containerd } from './containerd.ts';
import { kubeletSettingsIn } from './kubelet-settings.ts';
import { isRunning, scriptPod } from './script-pod.ts';

const why = whyNoContainers();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 90_000;
const patient = { timeout: 30_000 };
const nodeName = 'booted';
const token = 'abcdef.0123456789abcdef';

let containerd: Containerd;
let cluster: Cluster;
let authority: string;
const stopping = new AbortController();
let running: Promise<number>;
const lines: string[] = [];

beforeAll(async () => {
  if (why !== undefined) return;
  containerd = await startContainerd();
  const { directory } = containerd;
  const certificates = await clusterCertificates(path.join(directory, 'certificates'), {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  authority = readFileSync(certificates.caCertFile, 'utf8');
  cluster = await startCluster({
    nodes: 0,
    port: 0,
    certificates: { ...certificates, rootCertificateAuthority: authority },
    joinable: { bindAddress: '127.0.0.1', advertiseAddress: '127.0.0.1', podRange: '10.244.0.0/16' },
  });
  await storeToken(cluster.client(), parseBootstrapToken(token), { ttlMs: 0 }, systemClock.now());
  running = startProgram(directory, certificates.caCertFile);
}, patienceMs);
afterAll(async () => {
  if (why !== undefined) return;
  stopping.abort();
  await running;
  await cluster.stop();
  await containerd.stop();
}, patienceMs);

const at = (name: string) => path.join(containerd.directory, name);

function startProgram(directory: string, clientCAFile: string): Promise<number> {
  const config = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: containerd.endpoint,
    ...kubeletSettingsIn(containerd.directory),
    failCgroupV1: false,
    failSwapOn: false,
    port: 0,
    healthzPort: 0,
    rotateCertificates: true,
    serverTLSBootstrap: true,
    shutdownGracePeriod: '10s',
    shutdownGracePeriodCriticalPods: '2s',
    authentication: { x509: { clientCAFile } },
  };
  writeFileSync(at('config.yaml'), JSON.stringify(config));
  const server = cluster.address ?? '';
  writeFileSync(
    at('bootstrap.conf'),
    JSON.stringify({
      clusters: [
        {
          name: 'c',
          cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') },
        },
      ],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    }),
  );
  const write = (text: string): boolean => lines.push(text) > 0;
  const args = [
    `--config=${at('config.yaml')}`,
    `--kubeconfig=${at('kubelet.conf')}`,
    `--bootstrap-kubeconfig=${at('bootstrap.conf')}`,
    `--cert-dir=${at('pki')}`,
    `--root-dir=${at('kubelet')}`,
    `--hostname-override=${nodeName}`,
    '--node-ip=127.0.0.1',
  ];
  const io = { out: { write }, err: { write }, env: {}, signal: stopping.signal } as unknown as KubeletIo;
  return runKubelet(args, io, () => Promise.reject(new Error('not a simulated node')));
}

const find = async (): Promise<(Node & KubeObject) | undefined> =>
  cluster
    .client()
    .resource<Node & KubeObject>('v1', 'nodes')
    .get(nodeName)
    .catch((error: unknown) => {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    });
const readyOf = (node: Node | undefined) => node?.status.conditions?.find(({ type }) => type === 'Ready');

interface Request extends KubeObject {
  readonly spec: { readonly signerName: string; readonly username: string };
}
const requests = () =>
  cluster.client().resource<Request>('certificates.k8s.io/v1', 'certificatesigningrequests');

containerTest(
  'with a token the machine gets a certificate, and with it becomes a node',
  async () => {
    await expect.poll(async () => readyOf(await find())?.status, patient).toBe('True');
    expect(statSync(at('kubelet.conf')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('kubelet.conf'), 'utf8')).not.toContain(token);
    const certificate = new X509Certificate(readFileSync(at('pki/kubelet-client-current.pem')));
    expect(certificate.subject).toBe(`O=system:nodes\nCN=system:node:${nodeName}`);
    expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true);
  },
  patienceMs,
);

/** The certificate that the port of the kubelet shows; undefined where none is shown. */
const shown = async (): Promise<X509Certificate | undefined> => {
  const port = (await find())?.status.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    socket.once('error', () => resolve(undefined));
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
  });
};

containerTest(
  'its port shows the certificate of the cluster as soon as somebody has approved it, and none before',
  async () => {
    const pending = async () =>
      (await requests().list()).items.find(({ spec }) => spec.signerName === 'kubernetes.io/kubelet-serving');
    await expect.poll(pending, patient).toBeDefined();
    expect(await shown()).toBeUndefined();
    const request = (await pending())!;
    expect(request.spec.username).toBe(`system:node:${nodeName}`);
    const condition = { type: 'Approved', status: 'True', reason: 'Test', message: 'by hand' };
    await requests().patch(
      request.metadata.name ?? '',
      { status: { conditions: [condition] } },
      { type: 'strategic', subresource: 'approval' },
    );
    await expect
      .poll(async () => (await shown())?.subjectAltName, patient)
      .toBe(`DNS:${nodeName}, IP Address:127.0.0.1`);
  },
  patienceMs,
);

containerTest(
  'when the machine goes down, its pods end, and the node says why it is not ready',
  async () => {
    const pods = cluster.client().resource<Pod & KubeObject>('v1', 'pods').namespace('default');
    await pods.create(
      scriptPod('last', 'trap "exit 0" TERM; while true; do sleep 0.1; done') as Pod & KubeObject,
    );
    await expect
      .poll(async () => isRunning(await pods.get('last')), patient)
      .toBe(true)
      .catch((error: unknown) => {
        throw new Error(lines.join(''), { cause: error });
      });
    stopping.abort(new Error('stopped by SIGTERM'));
    expect(await running, lines.join('')).toBe(0);
    const { status } = await pods.get('last');
    expect(status).toMatchObject({
      reason: 'Terminated',
      message: 'Pod was terminated in response to imminent node shutdown.',
    });
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', reason: 'TerminationByKubelet' }),
    );
    expect(readyOf(await find())).toMatchObject({
      status: 'False',
      reason: 'KubeletNotReady',
      message: 'node is shutting down',
    });
  },
  patienceMs,
);
