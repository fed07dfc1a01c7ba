/** Makes this machine a node of a cluster that runs elsewhere. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  aborted,
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Random,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { Kubeconfig, KubeClient } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { bootstrapCredentials } from '@coxswain/kubelet/certificates/bootstrap.ts';
import { CertificateManager } from '@coxswain/kubelet/certificates/certificate-manager.ts';
import { CertificateStore } from '@coxswain/kubelet/certificates/certificate-store.ts';
import { clientTemplate } from '@coxswain/kubelet/certificates/certificate-template.ts';
import { Components } from '../components/components.ts';
import { nodeNetworkComponent, type NodeNetworkOptions } from '../node-network/network-component.ts';
import { nodeProxyComponent } from '../nodes/node-proxy.ts';
import { realNodeComponent, realNodeName, type RealNodeOptions } from '../nodes/real-node.ts';
import { StoppableTransport } from '../components/stoppable-transport.ts';
import { discoverCluster, type DiscoveryOptions } from './discover-cluster.ts';
import { runningFile } from './leave-cluster.ts';
import { persistently } from './persistently.ts';
import { kubeadmConfigName, kubeletConfigName } from './server-objects.ts';
import { tokenKubeconfig } from './token-kubeconfig.ts';

export interface JoinOptions {
  /** How to find the cluster; unnecessary if this machine is already a node. */
  readonly discovery?: DiscoveryOptions;
  /** For keys and the state of the kubelet. */
  readonly directory: string;
  readonly node: Omit<RealNodeOptions, 'rootDirectory' | 'network' | 'clusterDns'>;
  readonly network: Omit<NodeNetworkOptions, 'nodeName' | 'podRange' | 'rootDirectory'>;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log: (line: string) => void;
}

export interface JoinedNode {
  readonly name: string;
  readonly server: string;
  /** Resolves when everything but the containers has stopped. */
  readonly stopped: Promise<void>;
}

/**
 * Resolves when the node is registered.
 * @throws UntrustedClusterError if the server does not match the token
 * @throws Error with one line if the server can't be reached, or refuses
 */
export async function joinCluster(options: JoinOptions): Promise<JoinedNode> {
  const { directory, node, network, signal, log, clock = systemClock, random = systemRandom } = options;
  const name = realNodeName(node);
  const files = filesIn(directory);
  await mkdir(files.keys, { recursive: true, mode: 0o700 });
  await writeFile(runningFile(directory), String(process.pid), { mode: 0o600 });
  const kubeconfig = knownCluster(files, clock) ?? (await becomeNode(options, files, name, clock));
  const clients: KubeClient[] = [];
  const clientUntil = (until: AbortSignal): KubeClient => {
    const client = connect(kubeconfig, { clock, userAgent: 'coxswain-join' });
    clients.push(client);
    return client.with({ transport: new StoppableTransport(client.rest.transport, until) });
  };
  const client = clientUntil(signal);
  const shared = await persistently((until) => sharedSettings(client, until), { clock, signal, log });
  const onError = (part: string) => (error: unknown) => {
    if (!signal.aborted) log(`${part}: ${messageOf(error)}`);
  };
  const parts = { clientUntil, clock, random, log };
  const rootDirectory = path.join(directory, 'kubelet');
  const components = new Components([
    ...realNodeComponent(
      {
        ...node,
        rootDirectory,
        clusterDns: shared.clusterDns,
      },
      { ...parts, certificates: { caCertFile: files.authority } },
    ),
    ...nodeNetworkComponent(
      { ...network, nodeName: name, rootDirectory, podRange: shared.podRange },
      { ...parts, onError: onError('node network') },
    ),
    ...nodeProxyComponent({ nodeName: name }, parts),
  ]);
  const renewing = new CertificateManager({
    client,
    clock,
    random,
    signal,
    store: storeIn(files),
    signer: 'kubernetes.io/kube-apiserver-client-kubelet',
    template: () => clientTemplate(name),
    changed: () => log('renewed the certificate of this node'),
    onError: onError('certificate'),
  }).run();
  await Promise.all(components.names.map((component) => components.start(component)));
  const stopped = aborted(signal).then(async () => {
    await Promise.all([components.stopAll(), renewing]);
    await Promise.all(clients.map((each) => each.close()));
    await rm(runningFile(directory), { force: true });
  });
  return { name, server: kubeconfig.clusters?.[0]?.cluster?.server ?? '', stopped };
}

const filesIn = (directory: string) => ({
  keys: path.join(directory, 'pki'),
  authority: path.join(directory, 'pki', 'ca.crt'),
  kubeconfig: path.join(directory, 'kubelet.kubeconfig'),
  /** Contains the token; removed once the node has its own certificate. */
  bootstrapKubeconfig: path.join(directory, 'bootstrap-kubelet.kubeconfig'),
});

type Files = ReturnType<typeof filesIn>;

const storeIn = ({ keys }: Files): CertificateStore => new CertificateStore(keys, 'kubelet-client');

/** From an earlier run of this node, while its certificate is valid. */
function knownCluster(files: Files, clock: Clock): Kubeconfig | undefined {
  if (!existsSync(files.kubeconfig) || !existsSync(files.authority)) return undefined;
  const leaf = storeIn(files).current()?.leaf;
  if (leaf === undefined || Date.parse(leaf.validTo) <= clock.now()) return undefined;
  return loadKubeconfig({ file: files.kubeconfig, env: {} });
}

async function becomeNode(
  options: JoinOptions,
  files: Files,
  nodeName: string,
  clock: Clock,
): Promise<Kubeconfig> {
  const { discovery, signal, log } = options;
  if (discovery === undefined)
    throw new Error('this machine has no valid cluster credentials: a token and --server are required');
  const found = await persistently((until) => discoverCluster(discovery, until), { clock, signal, log });
  const { kubeconfig, bootstrapKubeconfig, keys: certDirectory } = files;
  await writeFile(files.authority, found.certificateAuthority, { mode: 0o600 });
  const bootstrap = tokenKubeconfig(found, discovery.token);
  await writeFile(bootstrapKubeconfig, JSON.stringify(bootstrap), { mode: 0o600 });
  try {
    await bootstrapCredentials({
      kubeconfig,
      bootstrapKubeconfig,
      certDirectory,
      nodeName,
      clock,
      signal,
      log,
    });
  } finally {
    await rm(bootstrapKubeconfig, { force: true });
  }
  return loadKubeconfig({ file: kubeconfig, env: {} });
}

interface SharedSettings {
  readonly clusterDns: readonly string[];
  readonly podRange: string;
}

/** The settings that all nodes of the cluster share. */
async function sharedSettings(client: KubeClient, signal: AbortSignal): Promise<SharedSettings> {
  const maps = client.resource<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(
    'v1',
    'configmaps',
  );
  const read = async (name: string, key: string): Promise<unknown> =>
    readYaml((await maps.namespace('kube-system').get(name, { signal })).data?.[key] ?? '{}');
  const { clusterDNS = [] } = (await read(kubeletConfigName, 'kubelet')) as {
    readonly clusterDNS?: readonly string[];
  };
  const { networking } = (await read(kubeadmConfigName, 'ClusterConfiguration')) as {
    readonly networking?: { readonly podSubnet?: string };
  };
  // The first of several, if there are two address families.
  const [podRange = ''] = networking?.podSubnet?.split(',') ?? [];
  if (podRange === '')
    throw new Error(`the ConfigMap ${kubeadmConfigName} does not contain the pod address range`);
  return { clusterDns: clusterDNS, podRange };
}
