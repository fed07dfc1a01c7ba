/** Measures the usage of real nodes: directly for the node of this process, over the kubelet's port for others. */
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KubeClient } from '@coxswain/client';
import type { MeasuredOn, MeasuredUsage } from './metrics-group.ts';
import type { Usage } from './simulated-usage.ts';

/** What is known about the nodes of this process. */
export interface KnownNodes {
  isSimulated(name: string): boolean;
  /** Whether the node is simulated and does not answer. */
  isLost(name: string): boolean;
  /** Returns measured usage on this machine; undefined for other nodes. */
  measured(name: string): Promise<MeasuredUsage> | undefined;
}

export interface NodeMeasurementsOptions {
  /** Has access to the kubelets of all nodes. */
  readonly client: () => KubeClient;
  readonly clock: Clock;
  readonly nodes: KnownNodes;
}

/** How long a request for all nodes waits for a lost one. */
const answerMsMax = 3_000;
const fakeNode = 'kwok.x-k8s.io/node';

export const nodeMeasurements =
  ({ client, clock, nodes }: NodeMeasurementsOptions): MeasuredOn =>
  async (nodeName) => {
    const known = nodes.measured(nodeName);
    if (known !== undefined) return known;
    if (nodes.isLost(nodeName)) return { node: undefined, pods: new Map() };
    if (nodeName === '' || nodes.isSimulated(nodeName)) return undefined;
    const stopping = new AbortController();
    const { signal } = stopping;
    clock.sleep(answerMsMax, signal).then(
      () => stopping.abort(),
      () => undefined,
    );
    try {
      const node = await client().resource<Node & KubeObject>('v1', 'nodes').get(nodeName, { signal });
      if (!hasKubelet(node)) return undefined;
      const path = `/api/v1/nodes/${encodeURIComponent(nodeName)}/proxy/stats/summary`;
      return usageIn(await client().rest.request<Summary>({ verb: 'GET', path, signal }));
    } catch {
      return { node: undefined, pods: new Map() };
    } finally {
      stopping.abort();
    }
  };

/** A node driven by stages has no kubelet port that answers. */
const hasKubelet = ({ metadata, status }: Node & KubeObject): boolean =>
  metadata.annotations?.[fakeNode] === undefined && !!status?.daemonEndpoints?.kubeletEndpoint?.Port;

/** The fields of `stats/summary` that are used here. */
export interface Summary {
  readonly node?: Figures;
  readonly pods?: readonly {
    readonly podRef?: { readonly uid?: string };
    readonly containers?: readonly (Figures & { readonly name?: string })[];
  }[];
}

interface Figures {
  readonly cpu?: { readonly usageNanoCores?: number };
  readonly memory?: { readonly workingSetBytes?: number };
}

/** Containers without figures are omitted: they have not been sampled twice yet. */
export function usageIn({ node, pods = [] }: Summary): MeasuredUsage {
  const byUid = new Map<string, readonly { readonly name: string; readonly usage: Usage }[]>();
  for (const { podRef, containers = [] } of pods) {
    const measured = containers.flatMap((container) => {
      const usage = usageOf(container);
      return usage === undefined ? [] : [{ name: container.name ?? '', usage }];
    });
    if (measured.length > 0) byUid.set(podRef?.uid ?? '', measured);
  }
  return { node: node && usageOf(node), pods: byUid };
}

/** In billionths of a core and KiB, as in metrics-server. */
function usageOf({ cpu, memory }: Figures): Usage | undefined {
  const { usageNanoCores } = cpu ?? {};
  const { workingSetBytes } = memory ?? {};
  if (usageNanoCores === undefined || workingSetBytes === undefined) return undefined;
  return {
    cpu: usageNanoCores === 0 ? '0' : `${usageNanoCores}n`,
    memory: `${Math.ceil(workingSetBytes / 1024)}Ki`,
  };
}
