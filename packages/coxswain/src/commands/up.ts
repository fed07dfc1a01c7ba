/** `coxswain up`: a cluster in one command, until it is interrupted. */

import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { bool, commandFor, duration, int, noArgs, string, stringSlice } from '@coxswain/cobra';
import { aborted, systemClock } from '@coxswain/apimachinery';
import { clusterCertificates } from '../certificates.ts';
import type { KubeClient } from '@coxswain/client';
import { defaultAddress } from '@coxswain/kubelet/node/machine.ts';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { DataDirectory } from '../data-directory.ts';
import { defaultDataFolder, openDataDirectory, temporaryDataDirectory } from '../data-directory.ts';
import type { JoinableOptions } from '../cluster-options.ts';
import { clusterDnsAddress, kubernetesServiceAddress } from '../cluster-addresses.ts';
import { newBootstrapToken, parseBootstrapToken, tokenTtlMsDefault } from '../joining/bootstrap-token.ts';
import { reachableAt } from '../joining/server-objects.ts';
import { joinCommand, storeToken } from '../joining/stored-tokens.ts';
import { writeKubeconfig } from '../kubeconfig.ts';
import { kubeletConfigUsage, kubeletSettingsIn } from '../kubelet-settings.ts';
import type { ProgramIo } from '../program-io.ts';
import type { NodeProxyOptions } from '../node-proxy.ts';
import type { RealNodeOptions } from '../real-node.ts';
import { coxswainVersion, kubernetesVersion } from '../version.ts';

const command = commandFor<ProgramIo>();

/** Long enough for a client to see that a pod is being deleted. */
const containerStopMs = 100;

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
    kubeletConfig: string({ usage: kubeletConfigUsage }),
    server: bool({ usage: 'Let other machines join as nodes; see coxswain join.' }),
    bindAddress: string({
      usage: 'The address to serve at. The default is 127.0.0.1, and 0.0.0.0 with --server or --node.',
    }),
    advertiseAddress: string({
      usage:
        'The address by which other machines reach this one; --node-ip, or that of the default route, when empty.',
    }),
    tlsSan: stringSlice({
      usage: 'Other names and addresses by which this server is reached, for its certificate.',
    }),
    clusterCidr: string({
      default: '10.244.0.0/16',
      usage: 'From where pods of all machines get addresses, with --server; each machine gets a part.',
    }),
    token: string({ usage: 'The token by which machines may join, with --server; a new one when empty.' }),
    tokenTtl: duration({
      default: tokenTtlMsDefault,
      usage: 'How long that token is good; 0 for ever.',
    }),
    stages: string({
      usage:
        'File with stages and other objects of kwok, for nodes that are annotated kwok.x-k8s.io/node=fake.',
    }),
    schedulerConfig: string({
      usage: 'The configuration of the scheduler: profiles, extenders, and how long pods wait.',
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
      // Where nodes are real, or will be, there is no use for simulated ones, unless they are asked for.
      const nodes = (flags.node || flags.server) && !changed('nodes') ? 0 : flags.nodes;
      await serve(io, directory, { ...flags, nodes, durability }, progress, startMs);
    } finally {
      await directory.dispose();
    }
  },
});

/** @throws Error with what is missing on this machine */
async function realNodeOf(flags: UpFlags, directory: DataDirectory): Promise<RealNodeOptions> {
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
    settings: await kubeletSettingsIn(flags.kubeletConfig),
    clusterDns: [clusterDnsAddress],
    // Among several machines, its range is given to it.
    ...(flags.server ? {} : { network: { folder: cniConfDir, podCidr } }),
    endsPods: inMemory,
    ...(nodeIp === '' ? {} : { address: nodeIp }),
  };
}

/** What a node with a range of its own knows from the start; among several machines, the API server tells it. */
async function nodeProxyOf({ nodeIp, podCidr, server, inMemory }: UpFlags): Promise<NodeProxyOptions> {
  const { defaultAddress } = await import('@coxswain/kubelet/node/machine.ts');
  const address = nodeIp || defaultAddress();
  return {
    nodeName: hostname().toLowerCase(),
    endsRules: inMemory,
    ...(server || address === undefined ? {} : { address, podCidr }),
  };
}

/** @throws Error where others could not reach it */
function joinableOf(flags: UpFlags): JoinableOptions | undefined {
  if (!flags.server) return undefined;
  const { bindAddress, clusterCidr: podRange, cniConfDir } = flags;
  const advertiseAddress = flags.advertiseAddress || ownAddress(flags);
  if (advertiseAddress === '')
    throw new Error('--server finds no address of this machine: give --advertise-address');
  if (flags.token !== '') parseBootstrapToken(flags.token);
  return {
    bindAddress: bindAddress || '0.0.0.0',
    advertiseAddress,
    podRange,
    ...(flags.node && { networkFolder: cniConfDir }),
  };
}

/** Real pods reach the API server over an address of this machine: over 127.0.0.1 they would reach themselves. */
function servingFor(flags: UpFlags): { bindAddress?: string; advertiseAddress?: string } {
  const { bindAddress, node, server } = flags;
  const advertiseAddress = flags.advertiseAddress || ownAddress(flags);
  if (!node || server || advertiseAddress === '') return bindAddress === '' ? {} : { bindAddress };
  return { bindAddress: bindAddress || '0.0.0.0', advertiseAddress };
}

const ownAddress = ({ nodeIp }: UpFlags): string => nodeIp || (defaultAddress() ?? '');

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
  readonly kubeletConfig: string;
  readonly server: boolean;
  readonly bindAddress: string;
  readonly advertiseAddress: string;
  readonly tlsSan: readonly string[];
  readonly clusterCidr: string;
  readonly token: string;
  readonly tokenTtl: number;
  readonly stages: string;
  readonly schedulerConfig: string;
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
  const joinable = joinableOf(flags);
  progress('keys and certificates');
  const certificates = await clusterCertificates(directory.certificates, {
    clock: systemClock,
    serviceAddress: kubernetesServiceAddress,
    ...(joinable && { hosts: [joinable.advertiseAddress, hostname().toLowerCase(), ...flags.tlsSan] }),
  });
  const rootCertificateAuthority = await readFile(certificates.caCertFile, 'utf8');
  progress('API server, controllers, scheduler, nodes');
  const { startCluster } = await import('../cluster.ts');
  const { parseKwok } = await import('../stages/kwok-objects.ts');
  const { usableConfiguration } = await import('@coxswain/kube-scheduler/config/usable-configuration.ts');
  const cluster = await startCluster({
    port: flags.port,
    certificates: { ...certificates, rootCertificateAuthority },
    servesMetrics: true,
    leaderElection: true,
    nodes: flags.nodes,
    ...(flags.node && { realNode: await realNodeOf(flags, directory), nodeProxy: await nodeProxyOf(flags) }),
    ...((flags.node || flags.server) && {
      names: {
        address: ownAddress(flags) || flags.advertiseAddress || '127.0.0.1',
        clusterIp: clusterDnsAddress,
      },
    }),
    ...(joinable && { joinable }),
    ...servingFor(flags),
    containerStopMs,
    controllers: flags.controllers,
    ...(flags.schedulerConfig !== '' && {
      schedulerConfiguration: await usableConfiguration(await readFile(flags.schedulerConfig, 'utf8')),
    }),
    ...(flags.stages !== '' && { kwok: parseKwok(await readFile(flags.stages, 'utf8')) }),
    ...(flags.inMemory ? {} : { storageFolder: directory.storage, durability: flags.durability }),
    ...(flags.legacyApis && { runtimeConfig: 'api/legacy=true' }),
    log: (line) => void io.err.write(`${line}\n`),
  });
  const address = cluster.address ?? '';
  await writeKubeconfig(directory.kubeconfig, address, certificates);
  const invitation =
    joinable && (await invite(cluster.client(), flags, reachableAt(joinable.advertiseAddress, address)));
  progress('');
  io.out.write(
    summary({
      invitation,
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

/** What to type on another machine. */
async function invite(
  client: KubeClient,
  { token: wanted, tokenTtl }: UpFlags,
  server: string,
): Promise<string> {
  const token = wanted === '' ? newBootstrapToken() : parseBootstrapToken(wanted);
  const settings = { ttlMs: tokenTtl, description: 'Made by coxswain up --server.' };
  await storeToken(client, token, settings, systemClock.now());
  return joinCommand(client, token, server);
}

interface Summary {
  readonly invitation: string | undefined;
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
  nodes        ${what.nodes.length === 0 ? 'none yet' : listed(what.nodes)}
  kubeconfig   ${what.kubeconfig}

Try, in another terminal:

  export KUBECONFIG=${what.kubeconfig}
  npx coxswain kubectl create deployment web --image=nginx --replicas=3
  npx coxswain kubectl get pods --watch
  npx coxswain trace kubectl get nodes
${what.invitation === undefined ? '' : `\nOn machines that are to be nodes of this cluster, as root:\n\n  ${what.invitation}\n`}
Ready in ${(what.startedInMs / 1000).toFixed(2)} s. Ctrl-C stops it.
`;
}

/** One line that is written over while starting; nothing where the output is not a terminal. */
function progressLine(io: ProgramIo): (what: string) => void {
  if (io.columns === undefined) return () => {};
  return (what) => void io.err.write(`\r\u001B[K${what === '' ? '' : `${what} …`}`);
}
