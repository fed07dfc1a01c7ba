/**
 * What was found out about nodes for a pod, kept for the next pod of the same shape: replicas of one template are
 * told the same by a node on which nothing has changed. Only what plugins say that look at nothing but the pod and the
 * node can be kept.
 */
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { Victims } from '../plugins/preemption/select-victims.ts';
import type { Rejection } from './verdict.ts';

export interface Refusal {
  readonly verdict: Rejection;
  readonly plugin?: string;
}

/** What is known of one node, for pods of one shape; the node holds the newest. */
export interface KnownOfNode {
  readonly shape: string;
  readonly version: number;
  /** The pods that were promised the node then. */
  readonly promised: readonly PodInfo[];
  refusal?: Refusal;
  /** Who would have to go, or why that would not help. */
  victims?: Victims | Rejection | 'nobody';
}

/** Telling shapes apart costs something: it pays after so many refusals. */
const refusalsUntilKept = 64;

/** The memory of one attempt. */
export class NodeMemo {
  readonly #pod: PodInfo;
  readonly #profile: object;
  #refusals = 0;
  #shape: string | undefined;

  /** @param profile stands for the plugins that say it */
  constructor(pod: PodInfo, profile: object) {
    this.#pod = pod;
    this.#profile = profile;
  }

  refusal(node: NodeInfo, promised: readonly PodInfo[]): Refusal | undefined {
    return this.#shape === undefined ? undefined : this.#known(node, promised)?.refusal;
  }

  keepRefusal(node: NodeInfo, promised: readonly PodInfo[], refusal: Refusal): void {
    if (++this.#refusals < refusalsUntilKept) return;
    this.#entry(node, promised).refusal = refusal;
  }

  victims(node: NodeInfo, promised: readonly PodInfo[]): KnownOfNode['victims'] {
    return this.#shape === undefined ? undefined : this.#known(node, promised)?.victims;
  }

  keepVictims(
    node: NodeInfo,
    promised: readonly PodInfo[],
    victims: NonNullable<KnownOfNode['victims']>,
  ): void {
    if (this.#shape !== undefined) this.#entry(node, promised).victims = victims;
  }

  #known(node: NodeInfo, promised: readonly PodInfo[]): KnownOfNode | undefined {
    const entry = node.known;
    if (entry?.version !== node.version || entry.promised !== promised) return undefined;
    return entry.shape === this.#shape ? entry : undefined;
  }

  #entry(node: NodeInfo, promised: readonly PodInfo[]): KnownOfNode {
    this.#shape ??= shapeOf(this.#pod, this.#profile);
    let entry = this.#known(node, promised);
    if (entry === undefined) node.known = entry = { shape: this.#shape, version: node.version, promised };
    return entry;
  }
}

const profileNumbers = new WeakMap<object, number>();
let profiles = 0;

/** All of a pod that a plugin may look at whose answers are kept. */
function shapeOf(
  { namespace, labelGroup, priority, requests, hostPorts, pod }: PodInfo,
  profile: object,
): string {
  let number = profileNumbers.get(profile);
  if (number === undefined) profileNumbers.set(profile, (number = ++profiles));
  const { tolerations, nodeSelector, affinity, nodeName } = pod.spec ?? {};
  const { scalars, ...amounts } = requests;
  const parts = [amounts, [...scalars], hostPorts, tolerations, nodeSelector, affinity, nodeName, priority];
  return `${number}\n${namespace}\n${labelGroup}\n${JSON.stringify(parts)}`;
}
