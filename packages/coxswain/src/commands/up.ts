/** `coxswain up`: a cluster in one command, until it is interrupted. */

import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { bool, commandFor, int, noArgs, string, stringSlice } from '@coxswain/cobra';
import { systemClock } from '@coxswain/apimachinery';
import { clusterCertificates } from '../certificates.ts';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { DataDirectory } from '../data-directory.ts';
import { defaultDataFolder, openDataDirectory, temporaryDataDirectory } from '../data-directory.ts';
import { writeKubeconfig } from '../kubeconfig.ts';
import type { ProgramIo } from '../program-io.ts';
import type { RealNodeOptions } from '../real-node.ts';
import { coxswainVersion, kubernetesVersion } from '../version.ts';

const command = commandFor<ProgramIo>();

/** Long enough for a client to see that a pod is being deleted. */
const containerStopMs = 100;

/** The first address of the default service range: the `kubernetes` service. */
const kubernetesServiceAddress = '10.96.0.1';

export const up = command({
  use: 'up',
  short: 'Start a cluster (the default)',
  long: 'Starts API server, storage, controllers, scheduler and nodes in this process, until it is\ninterrupted. Nodes are simulated, unless --node makes this machine one. What they hold is kept for the next\nstart, unless --in-memory is given.',
  example:
    '  coxswain up\n  coxswain up --in-memory --port=0 --nodes=3\n  coxswain up --controllers=*,-job\n  coxswain up --node',
  args: noArgs,
  flags: {
    dataDir: string({
      usage:
        'Directory for keys, kubeconfig and data. The default is coxswain in the data directory of the user.',
    }),
    inMemory: bool({ usage: 'Keep nothing: storage in memory, keys in a temporary directory.' }),
    durability: string({
      default: 'sync',
      usage:
        "When a write is answered: 'sync' when the disk has it, 'relaxed' when the operating system has it, so that a loss of power may take the last ones.",
    }),
    port: int({ default: 6443, usage: 'Port for HTTPS on 127.0.0.1. 0 takes a free one.' }),
    nodes: int({ default: 1, usage: 'How many simulated nodes to run.' }),
    node: bool({ usage: 'Make this machine a node whose containers are real; needs containerd and root.' }),
    containerRuntimeEndpoint: string({
      default: 'unix:///run/containerd/containerd.sock',
      usage: 'The socket of the container runtime, for --node.',
    }),
    nodeIp: string({ usage: 'The address of this machine as a node; that of its default route when empty.' }),
    cniConfDir: string({
      default: '/etc/cni/net.d',
      usage: 'Where the container runtime looks for the pod network; one is written there when it has none.',
    }),
    podCidr: string({ default: '10.244.0.0/24', usage: 'From where pods of this machine get addresses.' }),
    stages: string({
      usage: 'File with stages of kwok, for nodes that are annotated kwok.x-k8s.io/node=fake.',
    }),
    controllers: stringSlice({
      default: ['*'],
      usage: "Controllers to run: '*' for all that are on by default, 'foo' for one, '-foo' for all but one.",
    }),
    legacyApis: bool({ usage: 'Serve the beta groups of Kubernetes 1.20 too.' }),
  },
  async run({ context: io, flags, changed }) {
    const durability = durabilityOf(flags.durability);
    const startMs = systemClock.monotonic();
    const progress = progressLine(io);
    progress('starting');
    const directory =
      flags.inMemory && flags.dataDir === ''
        ? await temporaryDataDirectory()
        : await openDataDirectory(flags.dataDir || defaultDataFolder(io.env));
    try {
      // A machine that is a node itself has no use for simulated ones, unless they are asked for.
      const nodes = flags.node && !changed('nodes') ? 0 : flags.nodes;
      await serve(io, directory, { ...flags, nodes, durability }, progress, startMs);
    } finally {
      await directory.dispose();
    }
  },
});

/** @throws Error with what is missing on this machine */
function realNodeOf(flags: UpFlags, directory: DataDirectory): RealNodeOptions {
  const { containerRuntimeEndpoint: runtimeEndpoint, nodeIp, cniConfDir, podCidr, inMemory } = flags;
  if (process.platform !== 'linux') throw new Error('--node needs Linux');
  if (process.getuid?.() !== 0) throw new Error('--node needs root: it makes mounts and control groups');
  const socket = runtimeEndpoint.replace(/^unix:\/\//, '');
  if (!existsSync(socket))
    throw new Error(
      `--node needs a container runtime, and none listens on ${socket} (install and start containerd, or give --container-runtime-endpoint)`,
    );
  const rootFolder = path.join(directory.folder, 'kubelet');
  mkdirSync(rootFolder, { recursive: true, mode: 0o750 });
  return {
    runtimeEndpoint,
    rootFolder,
    network: { folder: cniConfDir, podCidr },
    endsPods: inMemory,
    ...(nodeIp === '' ? {} : { address: nodeIp }),
  };
}

function durabilityOf(text: string): Durability {
  if (text === 'sync' || text === 'relaxed') return text;
  throw new Error(`--durability must be "sync" or "relaxed", not "${text}"`);
}

interface UpFlags {
  readonly inMemory: boolean;
  readonly durability: Durability;
  readonly port: number;
  readonly nodes: number;
  readonly node: boolean;
  readonly containerRuntimeEndpoint: string;
  readonly nodeIp: string;
  readonly cniConfDir: string;
  readonly podCidr: string;
  readonly stages: string;
  readonly controllers: readonly string[];
  readonly legacyApis: boolean;
}

async function serve(
  io: ProgramIo,
  directory: DataDirectory,
  flags: UpFlags,
  progress: (what: string) => void,
  startMs: number,
): Promise<void> {
  progress('keys and certificates');
  const certificates = await clusterCertificates(directory.certificates, {
    clock: systemClock,
    serviceAddress: kubernetesServiceAddress,
  });
  const rootCertificateAuthority = await readFile(certificates.caCertFile, 'utf8');
  progress('API server, controllers, scheduler, nodes');
  const { startCluster } = await import('../cluster.ts');
  const { parseStages } = await import('../stages/stage.ts');
  const cluster = await startCluster({
    port: flags.port,
    certificates: { ...certificates, rootCertificateAuthority },
    servesMetrics: true,
    leaderElection: true,
    nodes: flags.nodes,
    ...(flags.node && { realNode: realNodeOf(flags, directory) }),
    containerStopMs,
    controllers: flags.controllers,
    ...(flags.stages !== '' && { stages: parseStages(await readFile(flags.stages, 'utf8')) }),
    ...(flags.inMemory ? {} : { storageFolder: directory.storage, durability: flags.durability }),
    ...(flags.legacyApis && { runtimeConfig: 'api/legacy=true' }),
    log: (line) => void io.err.write(`${line}\n`),
  });
  const address = cluster.address ?? '';
  await writeKubeconfig(directory.kubeconfig, address, certificates);
  progress('');
  io.out.write(
    summary({
      address,
      storage: storageText(flags, directory),
      controllers: cluster.controllers,
      nodes: [
        ...(flags.node ? [`${hostname().toLowerCase()} (this machine)`] : []),
        ...cluster.kubelets.nodes.map((node) => `${node.name} (simulated)`),
      ],
      kubeconfig: directory.kubeconfig,
      startedInMs: systemClock.monotonic() - startMs,
    }),
  );
  await aborted(io.signal);
  progress('stopping');
  await cluster.stop();
  progress('');
  io.out.write('Stopped.\n');
}

const storageText = ({ inMemory, durability }: UpFlags, { storage }: DataDirectory): string =>
  inMemory ? 'in memory' : `LMDB in ${storage}${durability === 'sync' ? '' : ', without syncs'}`;

interface Summary {
  readonly address: string;
  readonly storage: string;
  readonly controllers: readonly string[];
  readonly nodes: readonly string[];
  readonly kubeconfig: string;
  readonly startedInMs: number;
}

const namedMax = 3;

function summary(what: Summary): string {
  const listed = (names: readonly string[]) =>
    names.length <= namedMax
      ? names.join(', ')
      : `${names.slice(0, namedMax).join(', ')} and ${names.length - namedMax} more`;
  return `Coxswain ${coxswainVersion}: Kubernetes ${kubernetesVersion} in one process

  API server   ${what.address}
  storage      ${what.storage}
  controllers  ${listed(what.controllers)}
  scheduler    default-scheduler
  nodes        ${listed(what.nodes)}
  kubeconfig   ${what.kubeconfig}

Try, in another terminal:

  export KUBECONFIG=${what.kubeconfig}
  npx coxswain kubectl create deployment web --image=nginx --replicas=3
  npx coxswain kubectl get pods --watch
  npx coxswain trace kubectl get nodes

Ready in ${(what.startedInMs / 1000).toFixed(2)} s. Ctrl-C stops it.
`;
}

/** One line that is written over while starting; nothing where the output is not a terminal. */
function progressLine(io: ProgramIo): (what: string) => void {
  if (io.columns === undefined) return () => {};
  return (what) => void io.err.write(`\r\u001B[K${what === '' ? '' : `${what} …`}`);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
