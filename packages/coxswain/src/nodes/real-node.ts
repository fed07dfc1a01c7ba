/** This machine as a node of the cluster: its containers are real. */
import { hostname } from 'node:os';
import path from 'node:path';
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import type { KubeletSettings } from '@coxswain/kubelet/config/kubelet-configuration.ts';
import type { DefaultNetworkOptions } from '@coxswain/kubelet/network/default-network.ts';
import type { RealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import type { RunningNetworkPolicies } from '@coxswain/network-policy';
import type { ClusterCertificates } from '../certificates/certificates.ts';
import type { Component } from '../components/components.ts';
import type { SingleNodeNetwork } from '../node-network/single-node-network.ts';

export interface RealNodeOptions {
  /** `unix:///run/containerd/containerd.sock` */
  readonly runtimeEndpoint: string;
  /** The kubelet's own. */
  readonly rootFolder: string;
  /** The machine's name when absent. */
  readonly name?: string;
  /** The address of its default route when absent. */
  readonly address?: string;
  /** From where its pods get addresses, and where the runtime looks for the network; none is written without. */
  readonly network?: Pick<DefaultNetworkOptions, 'folder' | 'podCidr'>;
  /** What names of tables in the packet filter begin with, where several nodes share one; `coxswain` when absent. */
  readonly tablePrefix?: string;
  readonly clusterDns?: readonly string[];
  readonly settings?: Partial<KubeletSettings>;
  readonly containerLogs?: string;
  /** Whether pods end with the cluster, because nobody would know them afterwards. */
  readonly endsPods?: boolean;
}

export interface RealNodeParts {
  readonly clientUntil: (signal: AbortSignal) => KubeClient;
  /** For network policies; the node itself when absent. */
  readonly policiesClientUntil?: (signal: AbortSignal) => KubeClient;
  /** Who signs for those that may look into the node. */
  readonly certificates: Pick<ClusterCertificates, 'caCertFile'> | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer?: StepObserver | undefined;
  /** Told of the kubelet once it looks after its pods. */
  readonly started?: (kubelet: RealKubelet) => void;
  readonly log: (line: string) => void;
}

export const realNodeName = ({ name }: Pick<RealNodeOptions, 'name'>): string =>
  (name ?? hostname()).toLowerCase();

/** The kubelet of this machine, loaded by those who have one only. */
export const realNodeComponent = (
  node: RealNodeOptions | undefined,
  parts: RealNodeParts,
): readonly Component[] =>
  node === undefined
    ? []
    : [
        {
          name: 'kubelet',
          start(until) {
            const started = startNode(node, parts, until);
            return {
              ready: started.then((running) => parts.started?.(running)),
              stopped: started.then((running) => endOf(running, node)),
            };
          },
        },
      ];

async function endOf(node: StartedNode, { endsPods }: RealNodeOptions): Promise<void> {
  const { stopped, runtime, policies, network, close } = node;
  await Promise.all([stopped, policies?.stopped]);
  if (endsPods) {
    await runtime.removeUnknown(() => false);
    await Promise.all([policies?.remove(), network?.remove()]);
  }
  close();
}

interface StartedNode extends RealKubelet {
  readonly policies: RunningNetworkPolicies | undefined;
  readonly network: SingleNodeNetwork | undefined;
  readonly close: () => void;
}

async function startNode(
  node: RealNodeOptions,
  parts: RealNodeParts,
  signal: AbortSignal,
): Promise<StartedNode> {
  const [{ startRealKubelet }, { defaultSettings }, { defaultAddress }, { startPodProtection }] =
    await Promise.all([
      import('@coxswain/kubelet/start-real-kubelet.ts'),
      import('@coxswain/kubelet/config/kubelet-configuration.ts'),
      import('@coxswain/kubelet/node/machine.ts'),
      import('../node-network/pod-protection.ts'),
    ]);
  const { tablePrefix = 'coxswain' } = node;
  let network: SingleNodeNetwork | undefined;
  if (node.network !== undefined) {
    const { openSingleNodeNetwork } = await import('../node-network/single-node-network.ts');
    const { rootFolder } = node;
    network = await openSingleNodeNetwork({ ...node.network, rootFolder }, `${tablePrefix}-pods`);
    if (network !== undefined) parts.log(`pod network: ${network.file}`);
  }
  const client = parts.clientUntil(signal);
  const nodeName = realNodeName(node);
  const policies = await startPodProtection({
    ...parts,
    client: parts.policiesClientUntil?.(signal) ?? client,
    nodeName,
    tableName: `${tablePrefix}-network-policy`,
    signal,
  });
  const authentication = {
    ...defaultSettings.authentication,
    x509: { clientCAFile: parts.certificates?.caCertFile ?? '' },
  };
  const running = await startRealKubelet({
    client,
    clock: parts.clock,
    random: parts.random,
    observer: parts.observer,
    signal,
    nodeName,
    ...(policies && { protect: policies.protect }),
    nodeIps: [node.address ?? defaultAddress() ?? '127.0.0.1'],
    rootFolder: node.rootFolder,
    certFolder: path.join(node.rootFolder, 'pki'),
    ...(node.containerLogs === undefined ? {} : { containerLogs: node.containerLogs }),
    settings: {
      ...defaultSettings,
      containerRuntimeEndpoint: node.runtimeEndpoint,
      authentication,
      clusterDomain: 'cluster.local',
      clusterDNS: node.clusterDns ?? [],
      podCIDR: node.network?.podCidr ?? '',
      failCgroupV1: false,
      ...node.settings,
    },
    log: (line) => parts.log(`kubelet: ${line}`),
  });
  return { ...running, policies, network, close: () => running.cri.close() };
}
