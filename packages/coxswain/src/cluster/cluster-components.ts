/** The components of a single-process cluster besides its API server, each with its own user. */
import { pluginFactory, startScheduler, withPlugins } from '@coxswain/kube-scheduler';
import { startSimulatedKubelets } from '@coxswain/simulated-nodes';
import {
  clusterNetwork,
  networkOf,
  type ClusterNetworkOptions,
} from '@coxswain/simulated-nodes/cluster-network/cluster-network.ts';
import { chosenFeatures } from './cluster-features.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { ClusterParts } from './cluster-parts.ts';
import { addonsComponent } from '../addons/addons.ts';
import { addonsUser, nodesUser, schedulerUser } from '../components/component-users.ts';
import { machineComponents } from '#machine';
import type { Component } from '../components/components.ts';
import { serviceRoutes } from '../nodes/service-routes.ts';
import { followLabelledNodes } from '../nodes/labelled-nodes.ts';
import type { NodeDirectory } from '../nodes/node-directory.ts';
import { policyJudge } from '../nodes/simulated-policies.ts';
import { RequestLoad } from '../simulated-metrics/request-load.ts';
import type { KwokObjects } from '../stages/kwok-objects.ts';
import type { PlayedNodesOptions } from '../stages/played-nodes.ts';
import type { Stage } from '../stages/stage.ts';

export interface ClusterFacts {
  /** `https://127.0.0.1:6443`; undefined if no port is served. */
  readonly address: string | undefined;
  /** The directory in which components that run nodes register them. */
  readonly nodes: NodeDirectory;
}

export const clusterComponents = (
  options: ClusterOptions,
  parts: ClusterParts,
  { address, nodes }: ClusterFacts,
): readonly Component[] => [
  schedulerComponent(options, parts),
  simulatedNodesComponent(options, parts, nodes),
  ...stagesComponent(options.kwok, nodes, (stages, until) => ({
    ...parts.shared(until),
    stages,
    client: parts.client(nodesUser, until),
    network: clusterNetwork(networkOptions(options, parts, nodes, until)),
    onError: parts.onError('stages', until),
  })),
  ...machineComponents(options, parts, { address, nodes }),
  ...addonsComponent(options.addons ?? [], (until) => ({
    client: parts.client(addonsUser, until),
    informers: parts.informers(until),
    signal: until,
    onError: parts.onError('addons', until),
  })),
];

/** The source address of clients outside the cluster (RFC 5737). */
const outsideAddress = '203.0.113.1';

const schedulerComponent = (options: ClusterOptions, parts: ClusterParts): Component => ({
  name: 'scheduler',
  work: startScheduler,
  start(until) {
    const { schedulerConfiguration: config, schedulerPlugins: plugins = [] } = options;
    const { synced, stopped } = startScheduler({
      ...parts.shared(until),
      client: parts.client(schedulerUser, until),
      ...chosenFeatures(options),
      config: plugins.length === 0 ? config : withPlugins(config, plugins),
      plugins: plugins.map(pluginFactory),
      onError: parts.onError('scheduler', until),
    });
    return { ready: synced, stopped };
  },
});

/** Determines which traffic passes between simulated pods, and where it goes. */
function networkOptions(
  { networkPolicies = true }: ClusterOptions,
  { client: clientOf, clock, random }: ClusterParts,
  nodes: NodeDirectory,
  until: AbortSignal,
): ClusterNetworkOptions {
  const client = clientOf(nodesUser, until);
  return {
    client,
    judge: networkPolicies ? policyJudge(client) : undefined,
    router: serviceRoutes({ client, clock, random }),
    findProgram: (pod, container) => nodes.findProgram(pod, container),
  };
}

const simulatedNodesComponent = (
  options: ClusterOptions,
  parts: ClusterParts,
  nodes: NodeDirectory,
): Component => ({
  name: 'kubelets',
  work: startSimulatedKubelets,
  start(until) {
    const shared = parts.shared(until);
    const onError = parts.onError('kubelet', until);
    const load = new RequestLoad(parts.clock);
    const network: ClusterNetworkOptions = {
      ...networkOptions(options, parts, nodes, until),
      onRequest: (pod, container) => load.count(pod, container),
    };
    const running = startSimulatedKubelets({
      ...shared,
      ...network,
      nodes: nodes.wanted,
      containerStopMs: options.containerStopMs,
      images: options.images,
      onError,
    });
    nodes.enterSimulated(running, networkOf(network, { address: outsideAddress }), load);
    followLabelledNodes({ informers: shared.informers, kubelets: running, onError });
    return { ready: running.registered, stopped: running.stopped };
  },
});

/** Loaded only if there are kwok objects. */
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
