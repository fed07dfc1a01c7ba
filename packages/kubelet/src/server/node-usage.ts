/** The resource usage of the node and its pods: read on request, and served as a summary and as metrics. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Clock } from '@coxswain/apimachinery';
import { containerNameLabel } from '../containers/labels.ts';
import type { Cri } from '../cri/cri-client.ts';
import { recordOf } from '../cri/shared-messages.ts';
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import { volumeFamilies } from '../metrics/volume-metrics.ts';
import type { VolumeUsage } from '../volumes/volume-usage.ts';
import { nodeMemory } from '../node/node-figures.ts';
import { exposition, type Family } from '../metrics/plain-exposition.ts';
import { cadvisorFamilies } from './usage/cadvisor-metrics.ts';
import { resourceFamilies } from './usage/resource-metrics.ts';
import { summaryOf } from './usage/summary.ts';
import { UsageReadings, workingSet } from './usage/usage-readings.ts';

export interface NodeUsageOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly nodeName: string;
  readonly rootDirectory: string;
  readonly pods: () => readonly Pod[];
  readonly node: () => Node | undefined;
  /** Returns the usage of a pod's volumes. */
  readonly volumes?: (pod: Pod) => Promise<readonly VolumeUsage[]>;
  /** Returns metrics of other parts of this process. */
  readonly counted?: () => readonly Family[];
  readonly metrics: KubeletMetrics;
}

/** The usage of the node, and of containers by the uid of their pod. */
export interface CurrentUsage {
  readonly node: Usage;
  readonly pods: ReadonlyMap<string, readonly { readonly name: string; readonly usage: Usage }[]>;
}

type Usage = { readonly cpu: string; readonly memory: string };

export class NodeUsage {
  readonly #options: NodeUsageOptions;
  readonly #readings: UsageReadings;
  readonly #startMs: number;

  constructor(options: NodeUsageOptions) {
    this.#options = options;
    this.#readings = new UsageReadings(options.cri, options.clock);
    this.#startMs = options.clock.now();
  }

  async summary(): Promise<object> {
    const { nodeName, rootDirectory, pods, volumes } = this.#options;
    return summaryOf(await this.#readings.read(), {
      nodeName,
      rootDirectory,
      startMs: this.#startMs,
      pods: pods(),
      volumes: async (pod) => (await volumes?.(pod)) ?? [],
    });
  }

  /** Returns the current usage as quantities. */
  async current(): Promise<CurrentUsage> {
    const { byPod, nodeNanoCores } = await this.#readings.read();
    const of = (pod: Pod) =>
      (byPod.get(pod.metadata?.uid ?? '') ?? []).map(({ stats, nanoCores }) => ({
        name: recordOf(stats.attributes?.labels ?? [])[containerNameLabel] ?? '',
        usage: usageOf(nanoCores, workingSet(stats)),
      }));
    return {
      node: usageOf(nodeNanoCores, nodeMemory().workingSetBytes),
      pods: new Map(this.#options.pods().map((pod) => [pod.metadata?.uid ?? '', of(pod)])),
    };
  }

  async resourceMetrics(): Promise<string> {
    return exposition(resourceFamilies(await this.#readings.read(), this.#options.pods()));
  }

  async cadvisorMetrics(): Promise<string> {
    const { pods, node } = this.#options;
    return exposition(cadvisorFamilies(await this.#readings.read(), pods(), node()));
  }

  async ownMetrics(): Promise<string> {
    const { metrics, counted } = this.#options;
    return metrics.metrics.exposition() + exposition([...(counted?.() ?? []), ...(await this.#volumes())]);
  }

  probeMetrics(): string {
    return this.#options.metrics.probes.exposition();
  }

  async #volumes(): Promise<readonly Family[]> {
    const { pods, volumes } = this.#options;
    return volumeFamilies(
      (await Promise.all(pods().map(async (pod) => (await volumes?.(pod)) ?? []))).flat(),
    );
  }
}

/** In billionths of a core and KiB, as in metrics-server. */
const usageOf = (nanoCores: number, bytes: number): Usage => ({
  cpu: nanoCores === 0 ? '0' : `${nanoCores}n`,
  memory: `${Math.ceil(bytes / 1024)}Ki`,
});
