/** Nodes whose state is driven by stages, with everything else that kwok's objects define for their pods. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeletConnection } from '@coxswain/kubelet';
import type { SimulatedNetwork } from '@coxswain/simulated-nodes/network/pod-network.ts';
import type { StartedComponent } from '../components/components.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KwokObjects } from './kwok-objects.ts';
import { metricPages, type MetricPages } from './metric-pages.ts';
import { playedNode } from './played-pods.ts';
import { isPlayed, startStages, type StagePlayerOptions } from './stage-player.ts';
import type { SaidUsage } from '../simulated-metrics/simulated-usage.ts';
import { saidUsage } from './usage-expressions.ts';

export interface PlayedNodes {
  /** Returns the connection to a node's containers; undefined if the node isn't driven by stages. */
  connection(node: KubeObject): KubeletConnection | undefined;
  readonly usage: SaidUsage;
  /** Pages of nodes, as defined by Metrics. */
  readonly page: MetricPages;
}

export interface PlayedNodesOptions extends StagePlayerOptions {
  readonly network: SimulatedNetwork;
}

/** @throws Error for an invalid expression */
export function startPlayedNodes(
  options: PlayedNodesOptions,
  { rules, metrics }: KwokObjects,
): { readonly nodes: PlayedNodes; readonly running: StartedComponent } {
  const { clock, random, informers, network } = options;
  const pods = informers.informer<Pod & KubeObject>({ group: '', version: 'v1', resource: 'pods' }).lister;
  const podsOn = (nodeName: string) => pods.list().filter(({ spec }) => spec?.nodeName === nodeName);
  const parts = { rules, clock, random, podsOn, network };
  const usage = saidUsage({ rules: rules.usages, clock, random });
  const nodes = informers.informer<Node & KubeObject>({ group: '', version: 'v1', resource: 'nodes' }).lister;
  const node = (name: string) => nodes.get(name);
  const page = metricPages({ metrics, clock, random, said: usage, node, podsOn });
  return {
    nodes: {
      page,
      connection: (node) => (isPlayed(node) ? playedNode(parts, node.metadata.name ?? '') : undefined),
      usage,
    },
    running: startStages(options),
  };
}
