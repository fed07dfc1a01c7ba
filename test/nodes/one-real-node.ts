/** A cluster in this process with one real node on this machine, for tests of what only real containers show. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isStatusError, systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeClient } from '@coxswain/client';
import { defaultSettings, type KubeletSettings } from '@coxswain/kubelet/config/kubelet-configuration.ts';
import { defaultAddress } from '@coxswain/kubelet/node/machine.ts';
import { startRealKubelet, type RealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import { clusterCertificates } from 'coxswain/certificates/certificates.ts';
import { nodeUser } from 'coxswain/components/component-users.ts';
import { writeKubeconfig } from 'coxswain/local/kubeconfig.ts';
import { startCluster, type Cluster } from 'coxswain/cluster/cluster.ts';
import { startContainerd, type Containerd } from './containerd.ts';
import { cgroupOf, kubeletSettingsIn } from './kubelet-settings.ts';

export const nodeName = 'real';
const waitMsMax = 30_000;
const lookEveryMs = 20;

export interface OneRealNode {
  readonly containerd: Containerd;
  readonly cluster: Cluster;
  readonly client: KubeClient;
  readonly kubelet: () => RealKubelet;
  readonly rootDirectory: string;
  readonly cgroup: string;
  /** For real clients. */
  readonly kubeconfig: string;
  readonly lines: string[];
  /** As if its process had ended and begun again; containers go on. */
  restartKubelet(): Promise<void>;
  stopKubelet(): Promise<void>;
  create(pod: object): Promise<Pod>;
  /** The pod once it is as wanted. @throws Error after half a minute, with its status and events */
  until(name: string, isAsWanted: (pod: Pod) => boolean, what?: string): Promise<Pod>;
  remove(name: string, graceSeconds?: number): Promise<void>;
  /** Removes what a test that failed has left, so that the next one finds the node empty. */
  clear(): Promise<void>;
  log(name: string, container?: string): Promise<string>;
  exec(name: string, script: string, container?: string): Promise<{ code: number; output: string }>;
  events(name: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export async function startOneRealNode(settings: Partial<KubeletSettings> = {}): Promise<OneRealNode> {
  const containerd = await startContainerd();
  return startNodeOn(containerd, settings).catch(async (error: unknown) => {
    await containerd.stop();
    throw error;
  });
}

async function startNodeOn(containerd: Containerd, settings: Partial<KubeletSettings>): Promise<OneRealNode> {
  const { directory } = containerd;
  const certificates = await clusterCertificates(path.join(directory, 'certificates'), {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  const lines: string[] = [];
  const cluster = await startCluster({
    nodes: 0,
    guardsNodes: true,
    port: 0,
    certificates: {
      ...certificates,
      rootCertificateAuthority: readFileSync(certificates.caCertFile, 'utf8'),
    },
    log: (line) => void lines.push(line),
  });
  const client = cluster.client();
  const rootDirectory = path.join(directory, 'kubelet');
  mkdirSync(path.join(rootDirectory, 'manifests'), { recursive: true });
  const cgroup = cgroupOf(directory);
  const start = async () => {
    const stopping = new AbortController();
    const running = await startRealKubelet({
      client: cluster.client(nodeUser(nodeName)),
      signal: stopping.signal,
      nodeName,
      nodeIps: [defaultAddress() ?? '127.0.0.1'],
      rootDirectory,
      containerLogs: path.join(directory, 'container-logs'),
      settings: {
        ...defaultSettings,
        containerRuntimeEndpoint: containerd.endpoint,
        ...kubeletSettingsIn(directory),
        clusterDNS: ['10.96.0.10'],
        clusterDomain: 'cluster.local',
        staticPodPath: path.join(rootDirectory, 'manifests'),
        port: 0,
        failCgroupV1: false,
        authentication: {
          ...defaultSettings.authentication,
          x509: { clientCAFile: certificates.caCertFile },
        },
        ...settings,
      },
      log: (line) => void lines.push(`kubelet: ${line}`),
    });
    return { stopping, running };
  };
  const kubeconfig = path.join(directory, 'kubeconfig');
  await writeKubeconfig(kubeconfig, cluster.address ?? '', certificates);
  let current = await start();
  const pods = client.resource<Pod & KubeObject>('v1', 'pods').namespace('default');
  const target = (name: string, container: string) => ({ namespace: 'default', name, container });
  const story = async ({ metadata, status }: Pod): Promise<string> =>
    [JSON.stringify(status), ...(await node.events(metadata?.name ?? '')), ...lines.slice(-20)].join('\n');
  const node: OneRealNode = {
    containerd,
    cluster,
    client,
    rootDirectory,
    cgroup,
    kubeconfig,
    lines,
    kubelet: () => current.running,
    async stopKubelet() {
      current.stopping.abort();
      await current.running.stopped;
      current.running.cri.close();
    },
    async restartKubelet() {
      await node.stopKubelet();
      current = await start();
    },
    create: (pod) => pods.create(pod as Pod & KubeObject),
    async until(name, isAsWanted, what = 'as wanted') {
      const endMs = performance.now() + waitMsMax;
      for (;;) {
        const pod = await pods.get(name).catch(absentIs({} as Pod & KubeObject));
        if (isAsWanted(pod)) return pod;
        if (performance.now() > endMs) throw new Error(`pod ${name} is not ${what}:\n${await story(pod)}`);
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    },
    async remove(name, gracePeriodSeconds = 1) {
      await pods.delete(name, { gracePeriodSeconds });
      const endMs = performance.now() + waitMsMax;
      for (;;) {
        const found = await pods.get(name).catch(absentIs(undefined));
        if (found === undefined) return;
        if (performance.now() > endMs) throw new Error(`pod ${name} is not gone:\n${await story(found)}`);
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    },
    async clear() {
      const { items } = await pods.list();
      await Promise.all(items.map(({ metadata }) => node.remove(metadata?.name ?? '')));
    },
    async log(name, container = 'c') {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await current.running.kubelet.logs(target(name, container), {}))
        chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
    async exec(name, script, container = 'c') {
      const chunks: Uint8Array[] = [];
      const take = (chunk: Uint8Array): void => void chunks.push(chunk);
      const streams = { stdout: take, stderr: take };
      const code = await current.running.kubelet.exec(target(name, container), ['sh', '-c', script], streams);
      return { code, output: Buffer.concat(chunks).toString() };
    },
    async events(name) {
      const { items } = await client
        .resource<KubeObject & { reason: string; message: string; involvedObject: { name: string } }>(
          'v1',
          'events',
        )
        .namespace('default')
        .list({ fieldSelector: `involvedObject.name=${name}` });
      return items.map(({ reason, message }) => `${reason}: ${message}`);
    },
    async stop() {
      await node.stopKubelet();
      await cluster.stop();
      await containerd.stop();
    },
  };
  return node;
}

const absentIs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isStatusError(error, 'NotFound')) return value;
    throw error;
  };
