import type { Clock, Random } from '@coxswain/apimachinery';
import type { NodeInfo } from './cache/node-info.ts';
import type { PodInfo } from './cache/pod-info.ts';
import type { NodeSum } from './cache/running-sums.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import type { ShapeResults } from './cache/shape-results.ts';
import type { Cluster, ClusterObjects } from './framework/cluster.ts';
import type { ExtenderList } from './framework/extender-list.ts';
import type { SchedulerApi } from './framework/scheduler-api.ts';
import type { Nominator } from './queue/nominator.ts';

export interface ClusterViewOptions {
  readonly cache: SchedulerCache;
  readonly nominator: Nominator;
  readonly objects: ClusterObjects;
  readonly api: SchedulerApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly isFeatureOn: (gate: string) => boolean;
  readonly extenders: ExtenderList | undefined;
  /** Tracks work that is not awaited. */
  readonly track: (work: Promise<void>) => void;
  /** Called when the API calls that the pod had to wait for are complete. */
  readonly released: (uid: string) => void;
}

/** The scheduler's state as its plugins see it. */
export class ClusterView implements Cluster {
  readonly objects: ClusterObjects;
  readonly api: SchedulerApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly isFeatureOn: (gate: string) => boolean;
  readonly extenders: ExtenderList | undefined;
  readonly #options: ClusterViewOptions;
  readonly #waiting = new Set<string>();

  constructor(options: ClusterViewOptions) {
    this.#options = options;
    this.objects = options.objects;
    this.api = options.api;
    this.clock = options.clock;
    this.random = options.random;
    this.isFeatureOn = options.isFeatureOn;
    this.extenders = options.extenders;
  }

  get nodes(): readonly NodeInfo[] {
    return this.#options.cache.nodes;
  }

  get hasAffinity(): boolean {
    return this.#options.cache.hasAffinity;
  }

  get hasRequiredAntiAffinity(): boolean {
    return this.#options.cache.hasRequiredAntiAffinity;
  }

  get nodesWithAffinity(): Iterable<NodeInfo> {
    return this.#options.cache.nodesWithAffinity;
  }

  get nodesWithRequiredAntiAffinity(): Iterable<NodeInfo> {
    return this.#options.cache.nodesWithRequiredAntiAffinity;
  }

  sumOf<S, P>(key: string, make: () => NodeSum<S, P>, nodes: () => Iterable<NodeInfo> = () => this.nodes): S {
    return this.#options.cache.sums.get(key, make, nodes);
  }

  answersOf(shape: string): ShapeResults {
    return this.#options.cache.answers.of(shape);
  }

  node(name: string): NodeInfo | undefined {
    return this.#options.cache.node(name);
  }

  claimUses(key: string): number {
    return this.#options.cache.claimUses(key);
  }

  imageNodeCount(image: string): number {
    return this.#options.cache.imageNodeCount(image);
  }

  nominatedTo(nodeName: string): readonly PodInfo[] {
    return this.#options.nominator.podsOn(nodeName);
  }

  departure(uid: string): Promise<void> {
    return this.#options.cache.departure(uid);
  }

  isWaiting(uid: string): boolean {
    return this.#waiting.has(uid);
  }

  whilePodWaits({ uid }: PodInfo, work: () => Promise<void>): void {
    this.#waiting.add(uid);
    const release = () => {
      this.#waiting.delete(uid);
      this.#options.released(uid);
    };
    this.#options.track(work().finally(release));
  }
}
