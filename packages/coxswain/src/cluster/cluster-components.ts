/** Everything of a cluster of one process that works beside its API server, each as the user that it is. */
import { newUid } from '@coxswain/apimachinery';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { KubeClient } from '@coxswain/client';
import type { UserInfo } from '@coxswain/apiserver';
import { startScheduler } from '@coxswain/kube-scheduler';
import { startSimulatedKubelets } from '@coxswain/kubelet';
import { clusterDnsAddress, clusterDomain } from '../components/cluster-addresses.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { ClusterParts } from './cluster-parts.ts';
import { addonsComponent } from '../addons/addons.ts';
import {
  addonsUser,
  administrator,
  clusterDnsUser,
  loadBalancersUser,
  nodeNetworkUser,
  nodeUser,
  nodesUser,
  proxyUser,
  schedulerUser,
} from '../components/component-users.ts';
import type { Component } from '../components/components.ts';
import { joinableComponent } from '../joining/joinable-component.ts';
import { reachableAt, type JoinableCluster } from '../joining/server-objects.ts';
import { followLabelledNodes } from '../nodes/labelled-nodes.ts';
import { leaderLeases } from '../components/leader-leases.ts';
import { loadBalancersComponent } from '../load-balancers/load-balancers-component.ts';
import { clusterNamesComponent } from '../names/dns-component.ts';
import { nodeNetworkComponent, type NodeNetworkOptions } from '../node-network/network-component.ts';
import type { NodeDirectory } from '../nodes/node-directory.ts';
import { nodeProxyComponent } from '../nodes/node-proxy.ts';
import { realNodeComponent, realNodeName } from '../nodes/real-node.ts';
import { policyJudge } from '../nodes/simulated-policies.ts';
import type { KwokObjects } from '../stages/kwok-objects.ts';
import type { PlayedNodesOptions } from '../stages/played-nodes.ts';
import type { Stage } from '../stages/stage.ts';

export interface ClusterFacts {
  /** `https://127.0.0.1:6443`; undefined where no port is served. */
  readonly address: string | undefined;
  /** Serves until the API server has stopped. */
  readonly lastingClient: (user: UserInfo) => KubeClient;
  /** Where those that run nodes enter them. */
  readonly nodes: NodeDirectory;
}

export const clusterComponents = (
  options: ClusterOptions,
  parts: ClusterParts,
  { address, lastingClient, nodes }: ClusterFacts,
): readonly Component[] => [
  schedulerComponent(options, parts),
  simulatedNodesComponent(options, parts, nodes),
  ...(options.leaderElection === true
    ? [
        leaderLeases({
          ...parts,
          client: lastingClient,
          newUid: options.newUid ?? newUid,
          onError: parts.onError('leader election'),
        }),
      ]
    : []),
  ...stagesComponent(options.kwok, nodes, (stages, until) => ({
    ...parts.shared(until),
    stages,
    client: parts.client(nodesUser, until),
    judge: judgeFor(options, parts, until),
    onError: parts.onError('stages', until),
  })),
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
  ...addonsComponent(options.addons ?? [], (until) => ({
    client: parts.client(addonsUser, until),
    informers: parts.informers(until),
    signal: until,
    onError: parts.onError('addons', until),
  })),
  ...joinableComponent(options.joinable && (() => joinableCluster(options, address)), (until) =>
    parts.client(administrator, until),
  ),
];

/** Of this process, or of others that join. */
export const hasRealNodes = ({ realNode, joinable }: ClusterOptions): boolean =>
  realNode !== undefined || joinable !== undefined;

const schedulerComponent = (
  { featureGates: gates, schedulerConfiguration: config }: ClusterOptions,
  parts: ClusterParts,
): Component => ({
  name: 'scheduler',
  start(until) {
    const { synced, stopped } = startScheduler({
      ...parts.shared(until),
      client: parts.client(schedulerUser, until),
      ...(gates && { isFeatureOn: featureGates(gates).enabled }),
      config,
      onError: parts.onError('scheduler', until),
    });
    return { ready: synced, stopped };
  },
});

const judgeFor = ({ networkPolicies = true }: ClusterOptions, parts: ClusterParts, until: AbortSignal) =>
  networkPolicies ? policyJudge(parts.client(nodesUser, until)) : undefined;

const simulatedNodesComponent = (
  options: ClusterOptions,
  parts: ClusterParts,
  nodes: NodeDirectory,
): Component => ({
  name: 'kubelets',
  start(until) {
    const shared = parts.shared(until);
    const onError = parts.onError('kubelet', until);
    const running = startSimulatedKubelets({
      ...shared,
      client: parts.client(nodesUser, until),
      nodes: nodes.wanted,
      containerStopMs: options.containerStopMs,
      judge: judgeFor(options, parts, until),
      onError,
    });
    nodes.enterSimulated(running);
    followLabelledNodes({ informers: shared.informers, kubelets: running, onError });
    return { ready: running.registered, stopped: running.stopped };
  },
});

/** This machine as a node: its kubelet, the network of its pods, and the way to services. */
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

/** Where the range of this machine's pods is not fixed, its network waits for the one that the node is given. */
function ownNetwork({ joinable, realNode }: ClusterOptions): NodeNetworkOptions | undefined {
  if (realNode === undefined || joinable?.networkFolder === undefined) return undefined;
  const { podRange, networkFolder } = joinable;
  return { nodeName: realNodeName(realNode), rootFolder: realNode.rootFolder, podRange, networkFolder };
}

function joinableCluster(options: ClusterOptions, address: string | undefined): JoinableCluster {
  const { joinable, certificates } = options;
  if (joinable === undefined || certificates === undefined || address === undefined)
    throw new Error('a cluster that machines can join requires a port and certificates');
  return {
    server: reachableAt(joinable.advertiseAddress, address),
    certificateAuthority: certificates.rootCertificateAuthority,
    clusterDns: clusterDnsAddress,
    clusterDomain,
    podRange: joinable.podRange,
  };
}

/** Loaded by those who have objects of kwok only. */
const stagesComponent = (
  kwok: KwokObjects | undefined,
  directory: NodeDirectory,
  optionsOf: (stages: readonly Stage[], until: AbortSignal) => PlayedNodesOptions,
): readonly Component[] =>
  kwok === undefined
    ? []
    : [
        {
          name: 'stages',
          start(until) {
            const options = optionsOf(kwok.stages, until);
            const started = import('../stages/played-nodes.ts').then(({ startPlayedNodes }) =>
              startPlayedNodes(options, kwok),
            );
            return {
              ready: started.then(async ({ nodes, running }) => {
                directory.enterPlayed(nodes);
                await running.ready;
              }),
              stopped: started.then(({ running }) => running.stopped),
            };
          },
        },
      ];
