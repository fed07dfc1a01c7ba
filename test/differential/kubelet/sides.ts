/** Two nodes of one cluster, each with a containerd of its own: the original's kubelet on one, ours on the other. */
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KubeClient } from '@coxswain/client';
import { readKubeletConfiguration } from '@coxswain/kubelet/config/kubelet-configuration.ts';
import { defaultAddress } from '@coxswain/kubelet/node/machine.ts';
import { startRealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import { clusterCertificates, type ClusterCertificates } from 'coxswain/certificates/certificates.ts';
import { startCluster } from 'coxswain/cluster/cluster.ts';
import { writeKubeconfig } from 'coxswain/local/kubeconfig.ts';
import { startContainerd } from '../../nodes/containerd.ts';
import { recordCri, type CriCall } from './cri-recorder.ts';

export interface Side {
  readonly name: 'original' | 'ours';
  /** Of its node and of the namespace of its pods. */
  readonly nodeName: string;
  readonly calls: readonly CriCall[];
  /** Texts that are of this side alone, with what stands for them in comparisons. */
  readonly places: readonly (readonly [text: string, stands: string])[];
  /** What its kubelet answers on its port. */
  page(path: string): Promise<string>;
  /** What it has said lately. */
  log(): string;
  hasEnded(): boolean;
  /** Its state on the disk. */
  readonly rootDirectory: string;
}

export interface Sides {
  readonly client: KubeClient;
  readonly all: readonly [original: Side, ours: Side];
  stop(): Promise<void>;
}

interface Started {
  readonly side: Side;
  stop(): Promise<void>;
}

interface Surroundings {
  readonly client: KubeClient;
  readonly kubeconfig: string;
  readonly certificates: ClusterCertificates;
  readonly settings: object;
}

/** Words that occur nowhere else. */
const originalNode = 'node-of-original';
const ourNode = 'node-of-ours';
const readyMsMax = 60_000;
const lookEveryMs = 100;

/** @param settings of both, beside what a test machine needs */
export async function startSides(program: string, settings: object): Promise<Sides> {
  const [first, second] = [await startContainerd(), await startContainerd()];
  const certificates = await clusterCertificates(path.join(first.directory, 'certificates'), {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  const cluster = await startCluster({
    nodes: 0,
    port: 0,
    certificates: {
      ...certificates,
      rootCertificateAuthority: readFileSync(certificates.caCertFile, 'utf8'),
    },
  });
  const kubeconfig = path.join(first.directory, 'kubeconfig');
  await writeKubeconfig(kubeconfig, cluster.address ?? '', certificates);
  const client = cluster.client();
  const surroundings = { client, kubeconfig, certificates, settings };
  const started: Started[] = [];
  const stop = async (): Promise<void> => {
    for (const each of started) await each.stop();
    await cluster.stop();
    await Promise.all([first.stop(), second.stop()]);
  };
  try {
    started.push(await startOriginal(program, first, surroundings));
    started.push(await startOurs(second, surroundings));
    for (const { side } of started) await untilReady(client, side);
    return { client, all: [started[0]!.side, started[1]!.side], stop };
  } catch (error) {
    const logs = started.map(({ side }) => `${side.name}:\n${side.log()}`).join('\n');
    await stop();
    throw new Error(`${String(error)}\n${logs}`, { cause: error });
  }
}

type Runtime = Awaited<ReturnType<typeof startContainerd>>;

/** The same document for both; only places differ. */
function configurationOf({ directory }: Runtime, endpoint: string, surroundings: Surroundings) {
  const rootDirectory = path.join(directory, 'kubelet');
  mkdirSync(path.join(rootDirectory, 'manifests'), { recursive: true });
  const document = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: endpoint,
    podLogsDir: path.join(directory, 'pod-logs'),
    cgroupRoot: `/${path.basename(directory)}`,
    cgroupDriver: 'cgroupfs',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    staticPodPath: path.join(rootDirectory, 'manifests'),
    failCgroupV1: false,
    failSwapOn: false,
    healthzPort: 0,
    oomScoreAdj: 0,
    // The disk of the machine may be nearly full.
    evictionHard: { 'memory.available': '50Mi' },
    imageGCHighThresholdPercent: 100,
    authentication: {
      x509: { clientCAFile: surroundings.certificates.caCertFile },
      anonymous: { enabled: false },
      webhook: { enabled: true },
    },
    authorization: { mode: 'Webhook' },
    ...surroundings.settings,
  };
  return { rootDirectory, document };
}

async function startOriginal(
  program: string,
  containerd: Runtime,
  surroundings: Surroundings,
): Promise<Started> {
  const { directory } = containerd;
  const recorder = await recorderOf(containerd);
  const port = 20_000 + (process.pid % 10_000);
  const { rootDirectory, document } = configurationOf(containerd, recorder.endpoint, surroundings);
  const config = path.join(directory, 'kubelet.json');
  // With a group of its own, which it makes below the root's.
  writeFileSync(config, JSON.stringify({ ...document, port }));
  makeGroups(document.cgroupRoot);
  const logFile = path.join(directory, 'kubelet.log');
  const log = openSync(logFile, 'w');
  const args = [
    `--kubeconfig=${surroundings.kubeconfig}`,
    `--config=${config}`,
    `--root-dir=${rootDirectory}`,
    `--cert-dir=${path.join(rootDirectory, 'pki')}`,
    `--hostname-override=${originalNode}`,
    `--node-ip=${defaultAddress() ?? '127.0.0.1'}`,
    '-v=2',
  ];
  const kubelet = spawn(program, args, { stdio: ['ignore', log, log] });
  const ended = new Promise<void>((resolve) => kubelet.once('exit', () => resolve()));
  return {
    side: {
      name: 'original',
      nodeName: originalNode,
      calls: recorder.calls,
      rootDirectory,
      places: [
        [directory, 'FOLDER'],
        [path.basename(directory), 'FOLDER'],
        [originalNode, 'NODE'],
        [String(port), '65535'],
      ],
      page: (path) => fetched(path, port, surroundings.certificates),
      hasEnded: () => kubelet.exitCode !== null,
      log: () => readFileSync(logFile, 'utf8').split('\n').slice(-40).join('\n'),
    },
    async stop() {
      kubelet.kill('SIGTERM');
      await ended;
      await recorder.close();
    },
  };
}

async function startOurs(containerd: Runtime, surroundings: Surroundings): Promise<Started> {
  const { directory } = containerd;
  const recorder = await recorderOf(containerd);
  const { rootDirectory, document } = configurationOf(containerd, recorder.endpoint, surroundings);
  const stopping = new AbortController();
  const lines: string[] = [];
  const running = await startRealKubelet({
    client: surroundings.client,
    signal: stopping.signal,
    nodeName: ourNode,
    nodeIps: [defaultAddress() ?? '127.0.0.1'],
    rootDirectory,
    containerLogs: path.join(directory, 'container-logs'),
    settings: { ...readKubeletConfiguration(document), port: 0 },
    log: (line) => void lines.push(line),
  });
  const port = () => running.node()?.status.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return {
    side: {
      name: 'ours',
      nodeName: ourNode,
      calls: recorder.calls,
      rootDirectory,
      places: [
        [directory, 'FOLDER'],
        [path.basename(directory), 'FOLDER'],
        [ourNode, 'NODE'],
        [String(port()), '65535'],
      ],
      page: (path) => fetched(path, port(), surroundings.certificates),
      hasEnded: () => stopping.signal.aborted,
      log: () => lines.slice(-40).join('\n'),
    },
    async stop() {
      stopping.abort();
      await running.stopped;
      running.cri.close();
      await recorder.close();
    },
  };
}

const recorderOf = ({ endpoint, directory }: Runtime) =>
  recordCri(endpoint.replace('unix://', ''), path.join(directory, 'recorded.sock'));

/** The original wants its root to be there; ours makes it. */
function makeGroups(cgroup: string): void {
  for (const [, controllers = ''] of readFileSync('/proc/self/mounts', 'utf8').matchAll(
    /^\S+ (\/sys\/fs\/cgroup\S*) cgroup2? /gm,
  ))
    mkdirSync(`${controllers}${cgroup}`, { recursive: true });
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    try {
      writeFileSync(`/sys/fs/cgroup/cpuset${cgroup}/${file}`, readFileSync(`/sys/fs/cgroup/cpuset/${file}`));
    } catch {
      // Version 2 has no such files to fill.
    }
  }
}

function fetched(pathAndQuery: string, port: number, certificates: ClusterCertificates): Promise<string> {
  const pair = {
    cert: readFileSync(certificates.adminCertFile),
    key: readFileSync(certificates.adminKeyFile),
  };
  return new Promise((resolve, reject) => {
    const options = { ...pair, host: '127.0.0.1', port, path: pathAndQuery, rejectUnauthorized: false };
    https
      .get(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
      })
      .on('error', reject);
  });
}

async function untilReady(client: KubeClient, { nodeName, hasEnded }: Side): Promise<void> {
  const nodes = client.resource<Node & KubeObject>('v1', 'nodes');
  const endMs = performance.now() + readyMsMax;
  for (;;) {
    const node = await nodes.get(nodeName).catch(() => undefined);
    if (node?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return;
    if (hasEnded() || performance.now() > endMs)
      throw new Error(`${nodeName} is not ready: ${JSON.stringify(node?.status.conditions)}`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
