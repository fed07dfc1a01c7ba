/** The network that pods have where nobody has set one up, and policies in it: real containers, real packets. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { clusterCertificates } from 'coxswain/certificates/certificates.ts';
import { startCluster, type Cluster } from 'coxswain/cluster/cluster.ts';
import { whyNoLab } from '../../packages/network-policy/test/network-lab.ts';
import { claimAddressRange, type AddressRange } from './address-range.ts';
import { startContainerd, whyNoContainers, type Containerd } from './containerd.ts';
import { kubeletSettingsIn } from './kubelet-settings.ts';
import { uniqueName } from './namespaces.ts';
import { scriptPod } from './script-pod.ts';

const why = whyNoContainers() ?? whyNoLab();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 90_000;
const run = promisify(execFile);
const tablePrefix = `coxswain-${uniqueName()}`;

let containerd: Containerd;
let range: AddressRange;
let cluster: Cluster;
let client: KubeClient;

beforeAll(async () => {
  if (why !== undefined) return;
  containerd = await startContainerd();
  range = claimAddressRange();
  const { directory } = containerd;
  // As on a machine where nobody has set up a network.
  rmSync(path.join(directory, 'cni', '10-bridge.conflist'));
  mkdirSync(path.join(directory, 'kubelet'));
  const certificates = await clusterCertificates(path.join(directory, 'certificates'), {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  cluster = await startCluster({
    nodes: 0,
    certificates: { ...certificates, rootCertificateAuthority: '' },
    realNode: {
      name: 'real',
      runtimeEndpoint: containerd.endpoint,
      rootDirectory: path.join(directory, 'kubelet'),
      containerLogs: path.join(directory, 'container-logs'),
      tablePrefix,
      network: {
        directory: path.join(directory, 'cni'),
        podCidr: range.cidr,
      },
      settings: {
        ...kubeletSettingsIn(directory),
        port: 0,
      },
      endsPods: true,
    },
  });
  client = cluster.client();
}, patienceMs);

afterAll(async () => {
  await cluster?.stop();
  await containerd?.stop();
  range?.release();
}, patienceMs);

const pods = () => client.resource<Pod & KubeObject>('v1', 'pods').namespace('default');

async function ready(name: string): Promise<Pod> {
  const isReady = (pod: Pod): boolean =>
    pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  await expect.poll(async () => isReady(await pods().get(name)), { timeout: 30_000 }).toBe(true);
  return pods().get(name);
}

/** What one pod gets from another's port 8080; empty when there is no answer. */
async function fetched(from: Pod, address: string): Promise<string> {
  const id = from.status?.containerStatuses?.[0]?.containerID?.replace('containerd://', '') ?? '';
  const tasks = containerd.ctr('tasks', 'ls').split('\n');
  const [, pid = ''] = (tasks.find((line) => line.startsWith(id)) ?? '').split(/ +/);
  // Debian's static busybox has a wget that crashes.
  const script = `fetch('http://${address}:8080/', { signal: AbortSignal.timeout(1_000) })
    .then((answer) => answer.text(), () => '')
    .then((text) => process.stdout.write(text, () => process.exit()))`;
  const { stdout } = await run('nsenter', ['--target', pid, '--net', process.execPath, '-e', script]);
  return stdout;
}

const server = (name: string) => ({
  ...(scriptPod(name, `mkdir /www; echo ${name} > /www/index.html; exec httpd -f -p 8080 -h /www`) as object),
  metadata: { name, labels: { app: name } },
});

containerTest(
  'pods reach each other over links of their own, and a policy keeps them apart from their first packet on',
  async () => {
    for (const name of ['web', 'friend', 'stranger']) await pods().create(server(name) as never);
    const [web, friend, stranger] = await Promise.all(['web', 'friend', 'stranger'].map(ready));
    const address = web!.status?.podIP ?? '';
    expect(execFileSync('ip', ['route', 'show', address], { encoding: 'utf8' })).toContain('dev veth');
    await expect.poll(() => fetched(stranger!, address), { timeout: 10_000 }).toBe('web\n');

    await client
      .resource('networking.k8s.io/v1', 'networkpolicies')
      .namespace('default')
      .create({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'friends' },
        spec: {
          podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'late'] }] },
          ingress: [{ from: [{ podSelector: { matchLabels: { app: 'friend' } } }] }],
        },
      } as never);
    await expect.poll(() => fetched(stranger!, address), { timeout: 10_000 }).toBe('');
    expect(await fetched(friend!, address)).toBe('web\n');

    // A pod that comes after its policy is never reachable by others, not even before its status tells its address.
    await pods().create(server('late') as never);
    const late = await ready('late');
    const lateAddress = late.status?.podIP ?? '';
    await expect.poll(() => fetched(friend!, lateAddress), { timeout: 10_000 }).toBe('late\n');
    expect(await fetched(stranger!, lateAddress)).toBe('');
  },
  patienceMs,
);

containerTest(
  'the rules go with the pods of a cluster that keeps nothing',
  async () => {
    const tables = () => execFileSync('nft', ['list', 'tables'], { encoding: 'utf8' });
    expect(tables()).toContain(`inet ${tablePrefix}-network-policy`);
    expect(tables()).toContain(`ip ${tablePrefix}-pods`);
    await cluster.components.stop('kubelet');
    expect(tables()).not.toContain(tablePrefix);
  },
  patienceMs,
);
