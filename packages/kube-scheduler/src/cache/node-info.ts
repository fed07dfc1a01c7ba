import type { LabelSelector } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { LabelledPod } from './affinity-term.ts';
import { UsedPorts } from './host-ports.ts';
import { hasAffinity, isTerminating, type PodInfo } from './pod-info.ts';
import {
  addResources,
  noResources,
  podCapacityOf,
  readResources,
  type ResourceAmounts,
} from './resources.ts';

export const hostnameLabel = 'kubernetes.io/hostname';
export const zoneLabel = 'topology.kubernetes.io/zone';

/** Pods of a node that no selector can distinguish. */
interface LabelGroup {
  /** What selectors are matched against. */
  readonly sample: LabelledPod;
  /** The number of pods that are not being deleted. */
  alive: number;
  all: number;
}

/** Counts the changes of all nodes: no two states of any nodes have the same version. */
let versions = 0;

/** A node with sums over its pods, updated incrementally. */
export class NodeInfo {
  readonly name: string;
  /** Its number among the known nodes: per-node data is stored in arrays indexed by it. */
  readonly slot: number;
  #node: Node | undefined;
  #hostname: string | undefined;
  #zone: string | undefined;
  readonly pods = new Map<string, PodInfo>();
  readonly podsWithAffinity = new Map<string, PodInfo>();
  readonly podsWithRequiredAntiAffinity = new Map<string, PodInfo>();
  readonly requested: ResourceAmounts = noResources();
  readonly requestedForScore: ResourceAmounts = noResources();
  usedPorts = new UsedPorts();
  allocatable: ResourceAmounts = noResources();
  podCapacity = 0;
  /** Changes with every change of the node or its pods. */
  version = ++versions;
  /** Bytes by normalized image name. */
  imageSizes: ReadonlyMap<string, number> = new Map();
  readonly labelGroups = new Map<string, LabelGroup>();

  constructor(name: string, slot: number) {
    this.name = name;
    this.slot = slot;
  }

  /** Always set on infos passed to plugins; an info may outlive its node while it still has pods. */
  get node(): Node {
    return this.#node!;
  }

  get exists(): boolean {
    return this.#node !== undefined;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#node?.metadata?.labels ?? {};
  }

  /** Returns a label; those that nearly all pods are spread by are cached. */
  label(key: string): string | undefined {
    if (key === hostnameLabel) return this.#hostname;
    return key === zoneLabel ? this.#zone : this.labels[key];
  }

  setNode(node: Node | undefined): void {
    const allocatableChanged = node?.status?.allocatable !== this.#node?.status?.allocatable;
    this.#setNode(node);
    this.version = ++versions;
    if (!allocatableChanged && node !== undefined) return;
    this.allocatable = readResources(node?.status?.allocatable);
    this.podCapacity = podCapacityOf(node?.status?.allocatable);
  }

  addPod(pod: PodInfo): void {
    this.pods.set(pod.uid, pod);
    if (hasAffinity(pod)) this.podsWithAffinity.set(pod.uid, pod);
    if (pod.requiredAntiAffinity.length > 0) this.podsWithRequiredAntiAffinity.set(pod.uid, pod);
    this.#count(pod, 1);
  }

  removePod(uid: string): void {
    const pod = this.pods.get(uid);
    if (pod === undefined) return;
    this.pods.delete(uid);
    this.podsWithAffinity.delete(uid);
    this.podsWithRequiredAntiAffinity.delete(uid);
    this.#count(pod, -1);
  }

  /**
   * Updates a pod of the node whose counted properties are unchanged. It moves to the end, as if it had just arrived.
   */
  renewPod(pod: PodInfo): void {
    this.version = ++versions;
    moveToEnd(this.pods, pod);
    if (this.podsWithAffinity.has(pod.uid)) moveToEnd(this.podsWithAffinity, pod);
    if (this.podsWithRequiredAntiAffinity.has(pod.uid)) moveToEnd(this.podsWithRequiredAntiAffinity, pod);
  }

  /** Counts the pods of `namespace` that match `selector` and are not being deleted. */
  countPods(namespace: string, selector: LabelSelector): number {
    if (selector.everything || selector.nothing) return 0;
    let count = 0;
    for (const { sample, alive } of this.labelGroups.values()) {
      if (alive > 0 && sample.namespace === namespace && selector.matches(sample.labels)) count += alive;
    }
    return count;
  }

  /** Returns a copy for simulating removals. */
  clone(): NodeInfo {
    const copy = new NodeInfo(this.name, this.slot);
    copy.#setNode(this.#node);
    copy.allocatable = this.allocatable;
    copy.podCapacity = this.podCapacity;
    copy.imageSizes = this.imageSizes;
    copyEntries(this.pods, copy.pods);
    copyEntries(this.podsWithAffinity, copy.podsWithAffinity);
    copyEntries(this.podsWithRequiredAntiAffinity, copy.podsWithRequiredAntiAffinity);
    addResources(copy.requested, this.requested);
    addResources(copy.requestedForScore, this.requestedForScore);
    copy.usedPorts = this.usedPorts.clone();
    for (const [name, group] of this.labelGroups) copy.labelGroups.set(name, { ...group });
    return copy;
  }

  #setNode(node: Node | undefined): void {
    this.#node = node;
    this.#hostname = this.labels[hostnameLabel];
    this.#zone = this.labels[zoneLabel];
  }

  #count(pod: PodInfo, by: 1 | -1): void {
    this.version = ++versions;
    addResources(this.requested, pod.requests, by);
    addResources(this.requestedForScore, pod.requestsForScore, by);
    if (pod.hostPorts.length > 0) this.usedPorts.change(pod.hostPorts, by);
    const group = this.labelGroups.get(pod.labelGroup) ?? newGroup(pod);
    group.all += by;
    if (!isTerminating(pod.pod)) group.alive += by;
    if (group.all > 0) this.labelGroups.set(pod.labelGroup, group);
    else this.labelGroups.delete(pod.labelGroup);
  }
}

/** Excludes the pod itself, so that no obsolete state of it is retained. */
const newGroup = ({ namespace, labels }: PodInfo): LabelGroup => ({
  sample: { namespace, labels },
  alive: 0,
  all: 0,
});

function copyEntries<K, V>(from: ReadonlyMap<K, V>, to: Map<K, V>): void {
  for (const [key, value] of from) to.set(key, value);
}

function moveToEnd(pods: Map<string, PodInfo>, pod: PodInfo): void {
  pods.delete(pod.uid);
  pods.set(pod.uid, pod);
}
