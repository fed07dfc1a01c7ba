/** This machine becomes a node of a cluster that runs elsewhere. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isStatusError, systemClock, systemRandom } from '@coxswain/apimachinery';
import type { Clock, KubeObject, Random } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { Kubeconfig, KubeClient } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { Components } from '../components.ts';
import { nodeNetworkComponent } from '../node-network/network-component.ts';
import type { NodeNetworkOptions } from '../node-network/network-component.ts';
import { realNodeComponent, realNodeName } from '../real-node.ts';
import type { RealNodeOptions } from '../real-node.ts';
import { stoppableTransport } from '../stoppable-transport.ts';
import { formatBootstrapToken } from './bootstrap-token.ts';
import { UntrustedClusterError, discoverCluster } from './discover-cluster.ts';
import type { DiscoveredCluster, DiscoveryOptions } from './discover-cluster.ts';
import { keepCredentials, renewalDueMs, requestCredentials } from './node-credentials.ts';
import { kubeletConfigName } from './server-objects.ts';

export interface JoinOptions {
  /** How to find the cluster; not needed where this machine is a node already. */
  readonly discovery?: DiscoveryOptions;
  /** Keys, and the state of the kubelet. */
  readonly folder: string;
  readonly node: Omit<RealNodeOptions, 'rootFolder' | 'network' | 'clusterDns'>;
  readonly network: Omit<NodeNetworkOptions, 'nodeName' | 'podRange'>;
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

/** While the server does not answer, or has not signed yet, it is asked again. */
const retryMs = 500;
const patienceMs = 5 * 60_000;

/**
 * Resolves when the node is registered.
 * @throws UntrustedClusterError where the server is not the one that the token is for
 * @throws Error with one line where it can't be reached, or refuses
 */
export async function joinCluster(options: JoinOptions): Promise<JoinedNode> {
  const { folder, node, network, signal, log, clock = systemClock, random = systemRandom } = options;
  const name = realNodeName(node);
  const files = filesIn(folder);
  await mkdir(files.keys, { recursive: true, mode: 0o700 });
  const kubeconfig = (await knownCluster(files, clock)) ?? (await becomeNode(options, files, name, clock));
  const clients: KubeClient[] = [];
  const clientUntil = (until: AbortSignal): KubeClient => {
    const client = connect(kubeconfig, { clock, userAgent: 'coxswain-join' });
    clients.push(client);
    return client.with({ transport: stoppableTransport(client.rest.transport, until) });
  };
  const client = clientUntil(signal);
  const shared = await persistently(() => sharedSettings(client), options, clock);
  const onError = (part: string) => (error: unknown) => {
    if (!signal.aborted) log(`${part}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const parts = { clientUntil, clock, random, log };
  const components = new Components([
    ...realNodeComponent(
      {
        ...node,
        rootFolder: path.join(folder, 'kubelet'),
        clusterDns: shared.clusterDns,
      },
      { ...parts, certificates: { caCertFile: files.authority } },
    ),
    ...nodeNetworkComponent(
      { ...network, nodeName: name, podRange: shared.podRange },
      { ...parts, onError: onError('node network') },
    ),
  ]);
  const renewing = keepCredentials(
    { client, nodeName: name, file: files.credentials, clock, signal },
    onError('certificate'),
  );
  await Promise.all(components.names.map((component) => components.start(component)));
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  }).then(async () => {
    await Promise.all([components.stopAll(), renewing]);
    await Promise.all(clients.map((each) => each.close()));
  });
  return { name, server: kubeconfig.clusters?.[0]?.cluster?.server ?? '', stopped };
}

const filesIn = (folder: string) => ({
  keys: path.join(folder, 'pki'),
  authority: path.join(folder, 'pki', 'ca.crt'),
  /** The name that kubelets give it. */
  credentials: path.join(folder, 'pki', 'kubelet-client-current.pem'),
  kubeconfig: path.join(folder, 'kubelet.kubeconfig'),
});

type Files = ReturnType<typeof filesIn>;

/** Of an earlier life of this node, while its certificate is good. */
async function knownCluster(files: Files, clock: Clock): Promise<Kubeconfig | undefined> {
  if (!existsSync(files.kubeconfig) || !existsSync(files.authority)) return undefined;
  if ((await renewalDueMs(files.credentials, clock)) === undefined) return undefined;
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
    throw new Error('this machine has no valid credentials for a cluster: a token and --server are needed');
  const found = await persistently(() => discoverCluster(discovery), options, clock);
  await writeFile(files.authority, found.certificateAuthority, { mode: 0o644 });
  const bootstrap = bootstrapKubeconfig(found, formatBootstrapToken(discovery.token));
  const client = connect(bootstrap, { clock, userAgent: 'coxswain-join' });
  try {
    log(`asking ${found.server} for a certificate for ${nodeName}`);
    await requestCredentials({ client, nodeName, file: files.credentials, clock, signal });
  } finally {
    await client.close();
  }
  const kubeconfig = nodeKubeconfig(found, files);
  await writeFile(files.kubeconfig, `${JSON.stringify(kubeconfig, undefined, 2)}\n`, { mode: 0o600 });
  return kubeconfig;
}

const kubeconfigOf = (cluster: object, user: object): Kubeconfig => ({
  clusters: [{ name: 'cluster', cluster }],
  users: [{ name: 'node', user }],
  contexts: [{ name: 'node', context: { cluster: 'cluster', user: 'node' } }],
  'current-context': 'node',
});

const bootstrapKubeconfig = ({ server, certificateAuthority }: DiscoveredCluster, token: string) =>
  kubeconfigOf(
    { server, 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') },
    { token },
  );

/** Certificates in files, which are read again when they are renewed. */
const nodeKubeconfig = ({ server }: DiscoveredCluster, files: Files): Kubeconfig => ({
  apiVersion: 'v1',
  kind: 'Config',
  ...kubeconfigOf(
    { server, 'certificate-authority': files.authority },
    { 'client-certificate': files.credentials, 'client-key': files.credentials },
  ),
});

interface SharedSettings {
  readonly clusterDns: readonly string[];
  readonly podRange: string;
}

/** What all nodes of the cluster have in common. */
async function sharedSettings(client: KubeClient): Promise<SharedSettings> {
  const maps = client.resource<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(
    'v1',
    'configmaps',
  );
  const { data = {} } = await maps.namespace('kube-system').get(kubeletConfigName);
  const { clusterDNS = [] } = readYaml(data['kubelet'] ?? '{}') as { clusterDNS?: readonly string[] };
  const podRange = data['podRange'];
  if (podRange === undefined)
    throw new Error(
      `the ConfigMap ${kubeletConfigName} does not tell the range of pods: is it a Coxswain server?`,
    );
  return { clusterDns: clusterDNS, podRange };
}

async function persistently<T>(
  attempt: () => Promise<T>,
  { signal, log }: JoinOptions,
  clock: Clock,
): Promise<T> {
  const endMs = clock.monotonic() + patienceMs;
  let told = '';
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isFinal = error instanceof UntrustedClusterError || isStatusError(error, 'Unauthorized');
      if (signal.aborted || isFinal || clock.monotonic() > endMs) throw error;
      const why = error instanceof Error ? error.message : String(error);
      if (why !== told) log(`waiting for the server: ${why}`);
      told = why;
    }
    await clock.sleep(retryMs, signal);
  }
}
