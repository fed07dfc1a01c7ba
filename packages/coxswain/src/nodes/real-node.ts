/** This machine as a node of the cluster, with real containers. */
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
  /** The kubelet's root directory. */
  readonly rootDirectory: string;
  /** Defaults to the name of the machine. */
  readonly name?: string;
  /** Defaults to the address of the default route's interface. */
  readonly address?: string;
  /**
   * The address range of its pods, and where the runtime looks for the network configuration; without it, none is
   * written.
   */
  readonly network?: Pick<DefaultNetworkOptions, 'directory' | 'podCidr'>;
  /** The prefix of table names in the packet filter, for several nodes that share one. Defaults to `coxswain`. */
  readonly tablePrefix?: string;
  readonly clusterDns?: readonly string[];
  readonly settings?: Partial<KubeletSettings>;
  readonly containerLogs?: string;
  /** Whether pods end with the cluster because nothing would manage them afterwards. */
  readonly endsPods?: boolean;
}

export interface RealNodeParts {
  readonly clientUntil: (signal: AbortSignal) => KubeClient;
  /** The client for network policies. Defaults to that of the node. */
  readonly policiesClientUntil?: (signal: AbortSignal) => KubeClient;
  /** The authority for client certificates that grant access to the node. */
  readonly certificates: Pick<ClusterCertificates, 'caCertFile'> | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer?: StepObserver | undefined;
  /** Called with the kubelet once it manages its pods. */
  readonly started?: (kubelet: RealKubelet) => void;
  readonly log: (line: string) => void;
}

export const realNodeName = ({ name }: Pick<RealNodeOptions, 'name'>): string =>
  (name ?? hostname()).toLowerCase();

/** The kubelet of this machine; loaded only if there is one. */
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
    const { rootDirectory } = node;
    network = await openSingleNodeNetwork({ ...node.network, rootDirectory }, `${tablePrefix}-pods`);
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
    rootDirectory: node.rootDirectory,
    certDirectory: path.join(node.rootDirectory, 'pki'),
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
