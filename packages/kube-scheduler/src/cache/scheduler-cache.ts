import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { NodeInfo } from './node-info.ts';
import { interleaveZones, zoneOf } from './node-order.ts';
import { countsAlike, isTerminating, podInfo, updatedPodInfo, type PodInfo } from './pod-info.ts';
import { RunningSums } from './running-sums.ts';
import { ResultsByShape } from './shape-results.ts';

/**
 * Nodes and their pods, including assumed pods whose binding is in progress. The cost of a change is proportional to
 * the changed pod or node, not to the cluster.
 */
export class SchedulerCache {
  /** Includes deleted nodes that still have pods. */
  readonly #nodes = new Map<string, NodeInfo>();
  /** Released slots for reuse by new nodes. */
  readonly #freeSlots: number[] = [];
  readonly #placed = new Map<string, { info: PodInfo; nodeName: string }>();
  readonly #assumed = new Set<string>();
  readonly #claimUses = new Map<string, number>();
  readonly #images = new Map<string, KnownImage>();
  readonly #withAffinity = new Set<NodeInfo>();
  readonly #withRequiredAntiAffinity = new Set<NodeInfo>();
  #ordered: readonly NodeInfo[] | undefined;
  readonly sums = new RunningSums();
  readonly answers = new ResultsByShape();
  readonly #departures = new Map<string, PromiseWithResolvers<void>>();

  /** The existing nodes, interleaved by zone. */
  get nodes(): readonly NodeInfo[] {
    this.#ordered ??= interleaveZones([...this.#nodes.values()].filter((node) => node.exists));
    return this.#ordered;
  }

  get podCount(): number {
    return this.#placed.size;
  }

  /** The number of pods whose binding is in progress. */
  get assumedCount(): number {
    return this.#assumed.size;
  }

  node(name: string): NodeInfo | undefined {
    const node = this.#nodes.get(name);
    return node?.exists ? node : undefined;
  }

  /** Whether any placed pod has affinity or anti-affinity terms. */
  get hasAffinity(): boolean {
    return this.#withAffinity.size > 0;
  }

  get hasRequiredAntiAffinity(): boolean {
    return this.#withRequiredAntiAffinity.size > 0;
  }

  get nodesWithAffinity(): Iterable<NodeInfo> {
    return existing(this.#withAffinity);
  }

  get nodesWithRequiredAntiAffinity(): Iterable<NodeInfo> {
    return existing(this.#withRequiredAntiAffinity);
  }

  /** The number of placed pods that use the claim `namespace/name`. */
  claimUses(key: string): number {
    return this.#claimUses.get(key) ?? 0;
  }

  /** The number of nodes that have the image. */
  imageNodeCount(image: string): number {
    return this.#images.get(image)?.nodes.size ?? 0;
  }

  setNode(node: Node): void {
    const info = this.#info(node.metadata?.name ?? '');
    const before = info.exists ? info.node : undefined;
    const zoneBefore = before && zoneOf(info);
    info.setNode(node);
    if (before?.status?.images !== node.status?.images) this.#setImages(info, node);
    if (zoneBefore !== zoneOf(info)) this.#ordered = undefined;
    this.sums.changed(info);
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    this.#setImages(info, undefined);
    info.setNode(undefined);
    this.#ordered = undefined;
    this.sums.changed(info);
    if (info.pods.size === 0) this.#forgetNode(info);
  }

  isAssumed(uid: string): boolean {
    return this.#assumed.has(uid);
  }

  placed(uid: string): PodInfo | undefined {
    return this.#placed.get(uid)?.info;
  }

  nodeNameOf(uid: string): string | undefined {
    return this.#placed.get(uid)?.nodeName;
  }

  /** Counts the pod on the node before the cluster reports it. */
  assume(info: PodInfo, nodeName: string): void {
    this.#place(info, nodeName);
    this.#assumed.add(info.uid);
  }

  /** Undoes an assumption. */
  forget(uid: string): void {
    if (!this.#assumed.delete(uid)) return;
    this.#displace(uid);
    this.#departed(uid);
  }

  /** Resolves when the pod is seen to be gone or terminating; also if nothing watches any more. */
  departure(uid: string): Promise<void> {
    const placed = this.#placed.get(uid);
    if (placed === undefined || isTerminating(placed.info.pod)) return Promise.resolve();
    let departure = this.#departures.get(uid);
    if (departure === undefined) this.#departures.set(uid, (departure = Promise.withResolvers()));
    return departure.promise;
  }

  close(): void {
    for (const uid of this.#departures.keys()) this.#departed(uid);
  }

  /** Stores a pod reported by the cluster, with `spec.nodeName`. */
  setPod(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#placed.get(uid);
    const info = known === undefined ? podInfo(pod) : updatedPodInfo(known.info, pod);
    const nodeName = pod.spec?.nodeName ?? '';
    this.#assumed.delete(uid);
    if (known?.nodeName === nodeName && countsAlike(known.info, info)) this.#renew(info, nodeName);
    else {
      if (known !== undefined) this.#displace(uid);
      this.#place(info, nodeName);
    }
    if (isTerminating(pod)) this.#departed(uid);
  }

  removePod(uid: string): void {
    this.#assumed.delete(uid);
    this.#displace(uid);
    this.#departed(uid);
  }

  #departed(uid: string): void {
    this.#departures.get(uid)?.resolve();
    this.#departures.delete(uid);
  }

  #info(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name, this.#freeSlots.pop() ?? this.#nodes.size);
      this.#nodes.set(name, info);
    }
    return info;
  }

  #forgetNode({ name, slot }: NodeInfo): void {
    this.#nodes.delete(name);
    this.#freeSlots.push(slot);
  }

  #place(info: PodInfo, nodeName: string): void {
    const node = this.#info(nodeName);
    node.addPod(info);
    this.#placed.set(info.uid, { info, nodeName });
    this.#countClaims(info, 1);
    this.#indexAffinity(node);
    this.sums.changed(node);
  }

  /** Most updates only concern a pod's status, which changes no sum. */
  #renew(info: PodInfo, nodeName: string): void {
    this.#info(nodeName).renewPod(info);
    this.#placed.set(info.uid, { info, nodeName });
  }

  #displace(uid: string): void {
    const placed = this.#placed.get(uid);
    if (placed === undefined) return;
    this.#placed.delete(uid);
    this.#countClaims(placed.info, -1);
    const node = this.#nodes.get(placed.nodeName);
    if (node === undefined) return;
    node.removePod(uid);
    this.#indexAffinity(node);
    this.sums.changed(node);
    if (!node.exists && node.pods.size === 0) this.#forgetNode(node);
  }

  #indexAffinity(node: NodeInfo): void {
    setMember(this.#withAffinity, node, node.podsWithAffinity.size > 0);
    setMember(this.#withRequiredAntiAffinity, node, node.podsWithRequiredAntiAffinity.size > 0);
  }

  #countClaims(info: PodInfo, by: 1 | -1): void {
    for (const name of info.claimNames) {
      const key = `${info.namespace}/${name}`;
      const uses = this.claimUses(key) + by;
      if (uses > 0) this.#claimUses.set(key, uses);
      else this.#claimUses.delete(key);
    }
  }

  #setImages(info: NodeInfo, node: Node | undefined): void {
    for (const name of info.imageSizes.keys()) this.#imageLeft(name, info.name);
    const sizes = new Map<string, number>();
    for (const { names, sizeBytes = 0 } of node?.status?.images ?? []) {
      for (const name of names ?? []) {
        let known = this.#images.get(name);
        if (known === undefined) this.#images.set(name, (known = { sizeBytes, nodes: new Set() }));
        known.nodes.add(info.name);
        sizes.set(name, known.sizeBytes);
      }
    }
    info.imageSizes = sizes;
  }

  #imageLeft(name: string, nodeName: string): void {
    const known = this.#images.get(name);
    if (known?.nodes.delete(nodeName) && known.nodes.size === 0) this.#images.delete(name);
  }
}

/** An image that is present on some node. Its size is the one reported by the first node, as upstream. */
interface KnownImage {
  readonly sizeBytes: number;
  readonly nodes: Set<string>;
}

function* existing(nodes: Iterable<NodeInfo>): Iterable<NodeInfo> {
  for (const node of nodes) if (node.exists) yield node;
}

function setMember<T>(set: Set<T>, member: T, present: boolean): void {
  if (present) set.add(member);
  else set.delete(member);
}
