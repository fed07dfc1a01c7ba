import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { client } from '../../cluster/cluster.ts';
import { objectSource } from '../../cluster/object-source.ts';
import type { LiveSpec } from '../../cluster/use-live.ts';
import type { Health } from '../../health/health.ts';
import { nodeHealth } from '../../health/node-health.ts';
import { amountOf } from '../../controls/amounts.ts';

export interface MapNode extends KubeObject {
  readonly health: Health;
  /** The amount that pods may request. */
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly podsMax: number;
}

export const mapNodes: LiveSpec<MapNode> = {
  key: 'overview nodes',
  source: objectSource(client.resource<Live<Node>>('v1', 'nodes'), {}, mapNode),
};

export function mapNode(node: Live<Node>): MapNode {
  const { uid, name, resourceVersion } = node.metadata;
  const allocatable = node.status?.allocatable ?? {};
  return {
    metadata: { uid, name, resourceVersion } as KubeObject['metadata'],
    health: nodeHealth(node),
    cpuCores: amountOf(allocatable['cpu']),
    memoryBytes: amountOf(allocatable['memory']),
    podsMax: amountOf(allocatable['pods']),
  };
}
