/** The parts of a cluster that concern this machine: as a node, as a server that others join, and its files. */
import { readFileSync } from 'node:fs';
import type { KubeClient } from '@coxswain/client';
import { signedByOne, type ControllerSettings } from '@coxswain/kube-controller-manager';
import { clusterDnsAddress, clusterDomain } from '../components/cluster-addresses.ts';
import {
  administrator,
  clusterDnsUser,
  loadBalancersUser,
  nodeNetworkUser,
  nodeUser,
  proxyUser,
} from '../components/component-users.ts';
import type { Component } from '../components/components.ts';
import { authorityPin } from '../joining/authority-pin.ts';
import { storedClusterInfo } from '../joining/cluster-info.ts';
import { joinableComponent } from '../joining/joinable-component.ts';
import { reachableAt, type JoinableCluster } from '../joining/server-objects.ts';
import { loadBalancersComponent } from '../load-balancers/load-balancers-component.ts';
import { clusterNamesComponent } from '../names/dns-component.ts';
import { nodeNetworkComponent, type NodeNetworkOptions } from '../node-network/network-component.ts';
import type { NodeDirectory } from '../nodes/node-directory.ts';
import { nodeProxyComponent } from '../nodes/node-proxy.ts';
import { realNodeComponent, realNodeName } from '../nodes/real-node.ts';
import { hasRealNodes, type ClusterOptions } from './cluster-options.ts';
import type { ClusterParts } from './cluster-parts.ts';

export interface MachineFacts {
  /** `https://127.0.0.1:6443`; undefined if no port is served. */
  readonly address: string | undefined;
  /** The directory in which components that run nodes register them. */
  readonly nodes: NodeDirectory;
}

/** The name of this machine's node, if it is one. */
export const ownNodeName = ({ realNode }: ClusterOptions): string | undefined =>
  realNode && realNodeName(realNode);

export const machineComponents = (
  options: ClusterOptions,
  parts: ClusterParts,
  { address, nodes }: MachineFacts,
): readonly Component[] => [
  ...realNodeComponents(options, parts, nodes),
  ...clusterNamesComponent(options.names, {
    ...parts,
    clientUntil: (until) => parts.client(clusterDnsUser, until),
    informersUntil: parts.informers,
    onError: parts.onError('dns'),
  }),
  ...loadBalancersComponent(hasRealNodes(options), (until) => ({
    ...parts.shared(until),
    client: parts.client(loadBalancersUser, until),
    onError: parts.onError('load balancers', until),
  })),
  ...joinableComponent(options.joinable && (() => joinableCluster(options, address)), (until) =>
    parts.client(administrator, until),
  ),
];

/** The components that make this machine a node: its kubelet, its pod network, and its service proxy. */
const realNodeComponents = (
  options: ClusterOptions,
  parts: ClusterParts,
  nodes: NodeDirectory,
): readonly Component[] => [
  ...realNodeComponent(options.realNode, {
    ...parts,
    clientUntil: (until) => parts.client(nodeUser(realNodeName(options.realNode ?? {})), until),
    policiesClientUntil: (until) => parts.client(nodeNetworkUser, until),
    certificates: options.certificates,
    started: (kubelet) => nodes.enterReal(kubelet),
  }),
  ...nodeNetworkComponent(ownNetwork(options), {
    ...parts,
    clientUntil: (until) => parts.client(nodeNetworkUser, until),
    onError: parts.onError('node network'),
  }),
  ...nodeProxyComponent(options.nodeProxy, {
    ...parts,
    clientUntil: (until) => parts.client(proxyUser, until),
    informersUntil: parts.informers,
  }),
];

/** Unless the pod range of this machine is fixed, its network waits for the range that the node is assigned. */
function ownNetwork({ joinable, realNode }: ClusterOptions): NodeNetworkOptions | undefined {
  if (realNode === undefined || joinable?.networkDirectory === undefined) return undefined;
  const { podRange, networkDirectory } = joinable;
  return {
    nodeName: realNodeName(realNode),
    rootDirectory: realNode.rootDirectory,
    podRange,
    networkDirectory,
  };
}

function joinableCluster(options: ClusterOptions, address: string | undefined): JoinableCluster {
  const { joinable, certificates } = options;
  if (joinable === undefined || certificates === undefined || address === undefined)
    throw new Error('a cluster that machines can join requires a port and certificates');
  return {
    server: joinable.endpoint ?? reachableAt(joinable.advertiseAddress, address),
    ...(options.etcd && { etcd: options.etcd }),
    certificateAuthority: certificates.rootCertificateAuthority,
    clusterDns: clusterDnsAddress,
    clusterDomain,
    podRange: joinable.podRange,
  };
}

/**
 * Servers that share an etcd have the same keys.
 * @throws Error if the cluster stored there has another certificate authority
 */
export async function mustBeOfThisAuthority(
  client: KubeClient,
  { certificates }: ClusterOptions,
): Promise<void> {
  const found = await storedClusterInfo(client);
  if (found === undefined || certificates === undefined) return;
  if (authorityPin(found.certificateAuthority) !== authorityPin(certificates.rootCertificateAuthority))
    throw new Error(
      'the cluster in this storage has another certificate authority: use "coxswain join --control-plane" to add a server to it',
    );
}

/** The cluster's authority signs certificates; its files are read when needed. */
export const certificateSettings = (
  certificates: NonNullable<ClusterOptions['certificates']>,
): Partial<ControllerSettings> => ({
  rootCertificateAuthority: certificates.rootCertificateAuthority,
  serviceAccountKey: () => readFileSync(certificates.serviceAccountKeyFile, 'utf8'),
  signingPairs: signedByOne({ certFile: certificates.caCertFile, keyFile: certificates.caKeyFile }),
});
