/** This machine as a node of the cluster: its containers are real. */
import { hostname } from 'node:os';
import path from 'node:path';
import type { Clock, Random } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import type { KubeletSettings } from '@coxswain/kubelet/config/kubelet-configuration.ts';
import type { RealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import type { ClusterCertificates } from './certificates.ts';
import type { Component } from './components.ts';

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
  readonly network?: { readonly folder: string; readonly podCidr: string };
  readonly clusterDns?: readonly string[];
  readonly settings?: Partial<KubeletSettings>;
  readonly containerLogs?: string;
  /** Whether pods end with the cluster, because nobody would know them afterwards. */
  readonly endsPods?: boolean;
}

export interface RealNodeParts {
  readonly clientUntil: (signal: AbortSignal) => KubeClient;
  /** Who signs for those that may look into the node. */
  readonly certificates: Pick<ClusterCertificates, 'caCertFile'> | undefined;
  readonly clock: Clock;
  readonly random: Random;
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
              ready: started.then(() => undefined),
              stopped: started.then((running) => endOf(running, node)),
            };
          },
        },
      ];

async function endOf({ stopped, runtime, close }: StartedNode, { endsPods }: RealNodeOptions): Promise<void> {
  await stopped;
  if (endsPods) await runtime.removeUnknown(() => false);
  close();
}

interface StartedNode extends RealKubelet {
  readonly close: () => void;
}

async function startNode(
  node: RealNodeOptions,
  parts: RealNodeParts,
  signal: AbortSignal,
): Promise<StartedNode> {
  const [{ startRealKubelet }, { defaultSettings }, { defaultAddress }] = await Promise.all([
    import('@coxswain/kubelet/start-real-kubelet.ts'),
    import('@coxswain/kubelet/config/kubelet-configuration.ts'),
    import('@coxswain/kubelet/node/machine.ts'),
  ]);
  if (node.network !== undefined) {
    const { writeDefaultNetwork } = await import('@coxswain/kubelet/network/default-network.ts');
    const written = writeDefaultNetwork(node.network);
    if (written !== undefined) parts.log(`pod network: ${written}`);
  }
  const authentication = {
    ...defaultSettings.authentication,
    x509: { clientCAFile: parts.certificates?.caCertFile ?? '' },
  };
  const running = await startRealKubelet({
    client: parts.clientUntil(signal),
    clock: parts.clock,
    random: parts.random,
    signal,
    nodeName: realNodeName(node),
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
  return { ...running, close: () => running.cri.close() };
}
