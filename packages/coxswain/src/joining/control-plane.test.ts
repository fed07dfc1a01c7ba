/** Servers that share an etcd, in one process; test/servers runs them on separate machines. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import { serveEtcd } from '@coxswain/etcd';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterCertificates } from '../certificates/certificates.ts';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { authorityPin } from './authority-pin.ts';
import { newBootstrapToken } from './bootstrap-token.ts';
import { mustSuit, prepareControlPlane } from './join-control-plane.ts';
import { sharedCertificatesIn } from './shared-certificate-files.ts';
import { checkCertificateKey, newCertificateKey, uploadCertificates } from './shared-certificates.ts';
import { storeToken } from './stored-tokens.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-control-plane-'));
const token = newBootstrapToken();
const key = newCertificateKey();
const store = new MemoryStorage();
let etcd: Awaited<ReturnType<typeof serveEtcd>>;
let first: Cluster;
let pin: string;

const started = async (name: string, endpoint?: string): Promise<Cluster> => {
  const certificates = await clusterCertificates(path.join(directory, name), {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  const rootCertificateAuthority = readFileSync(certificates.caCertFile, 'utf8');
  return startCluster({
    port: 0,
    nodes: 1,
    etcd: { servers: [`http://127.0.0.1:${etcd.port}`] },
    certificates: { ...certificates, rootCertificateAuthority },
    joinable: {
      ...(endpoint !== undefined && { endpoint }),
      bindAddress: '127.0.0.1',
      advertiseAddress: '127.0.0.1',
      podRange: '10.244.0.0/16',
    },
  });
};

const prepared = (name: string, certificateKey: string) =>
  prepareControlPlane({
    discovery: { server: first.address!, token, pins: [pin] },
    certificateKey,
    directory: path.join(directory, name),
    signal: new AbortController().signal,
    log: () => {},
  });

beforeAll(async () => {
  etcd = await serveEtcd({ engine: store.engine });
  first = await started('first');
  pin = authorityPin(readFileSync(path.join(directory, 'first', 'ca.crt'), 'utf8'));
  await storeToken(first.client(), token, { ttlMs: 3_600_000 }, Date.now());
}, 60_000);

afterAll(async () => {
  await first?.stop();
  await etcd?.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

test('without keys in the cluster, or with the key of others, no server joins', async () => {
  await expect(prepared('early', key)).rejects.toThrow('Secret "kubeadm-certs" was not found');
  await uploadCertificates(
    first.client(),
    sharedCertificatesIn(path.join(directory, 'first')),
    key,
    Date.now(),
  );
  await expect(prepared('wrong', newCertificateKey())).rejects.toThrow('the certificate key is another one');
  expect(readdirSync(directory)).not.toContain('wrong');
  expect(() => checkCertificateKey('abc')).toThrow('32 bytes in hexadecimal');
}, 60_000);

test('servers of one cluster are at most one minor version apart', () => {
  mustSuit('v1.35.0', 'v1.36.3');
  mustSuit('v1.37.1', 'v1.36.3');
  expect(() => mustSuit('v1.38.0', 'v1.36.3')).toThrow('the cluster runs Kubernetes v1.38.0');
  expect(() => mustSuit('v1.34.0', 'v1.36.3')).toThrow('one minor version apart');
});

test('a server with different keys is kept out of the etcd of others', async () => {
  await expect(started('stranger')).rejects.toThrow('has another certificate authority');
}, 60_000);

test('a second server has the keys of the first, and works on when the first ends', async () => {
  const settings = await prepared('second', key);
  expect(settings).toEqual({
    etcdServers: [`http://127.0.0.1:${etcd.port}`],
    controlPlaneEndpoint: new URL(first.address!).host,
    clusterCidr: '10.244.0.0/16',
  });
  for (const name of readdirSync(path.join(directory, 'second')))
    expect(statSync(path.join(directory, 'second', name)).mode & 0o777).toBe(0o600);
  await expect(prepared('first', key)).resolves.toBeDefined();
  await expect(prepared('stranger', key)).rejects.toThrow('holds the keys of another cluster');

  const second = await started('second', `https://${settings.controlPlaneEndpoint}`);
  try {
    const pods = second.client().resource('v1', 'pods').namespace('default');
    const replicas = async (count: number): Promise<void> => {
      const deployments = second.client().resource('apps/v1', 'deployments').namespace('default');
      if (count === 1) await deployments.create(deployment);
      else await deployments.patch('web', { spec: { replicas: count } }, { type: 'merge' });
      await expect.poll(async () => running((await pods.list()).items), { timeout: 30_000 }).toBe(count);
    };
    await replicas(1);
    expect(second.components.running).not.toContain('scheduler');
    expect([first, second].map(({ simulatedNodes }) => simulatedNodes.length)).toEqual([1, 0]);
    await first.stop();
    await replicas(3);
    expect(second.components.running).toEqual(
      expect.arrayContaining(['scheduler', 'kubelets', 'deployment-controller']),
    );
    expect(() => second.snapshot()).toThrow('in an etcd');
  } finally {
    await second.stop();
  }
}, 90_000);

const running = (pods: readonly KubeObject[]): number =>
  pods.filter((pod) => (pod as { status?: { phase?: string } }).status?.phase === 'Running').length;

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
} as KubeObject;
