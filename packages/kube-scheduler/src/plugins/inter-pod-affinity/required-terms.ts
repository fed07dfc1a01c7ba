import type { Labels } from '@coxswain/apimachinery';
import { termMatches, type AffinityTerm, type LabelledPod } from '../../cache/affinity-term.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { fits, unresolvable, unschedulable, type Status } from '../../status.ts';
import {
  addToTopology,
  cloneCounts,
  countAt,
  topologySum,
  type CountShare,
  type TopologyCounts,
} from './topology-counts.ts';

/** Where required terms, of the pod itself and of existing pods, attract or repel. */
export interface RequiredState {
  /** Existing pods whose anti-affinity selects the pod. */
  readonly repelling: TopologyCounts;
  /** Pods that all of the pod's affinity terms select. */
  readonly wanted: TopologyCounts;
  /** Pods that one of the pod's anti-affinity terms selects. */
  readonly unwanted: TopologyCounts;
}

const noCompany = unresolvable("node(s) didn't match pod affinity rules");
const badCompany = unschedulable("node(s) didn't match pod anti-affinity rules");
const notWelcome = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** Undefined if there is nothing to check. */
export function requiredState(pod: PodInfo, cluster: Cluster): RequiredState | undefined {
  const repelling = repellingCounts(pod, cluster);
  const wanted = pod.requiredAffinity.length === 0 ? noCounts : wantedCounts(pod, cluster);
  const unwanted = pod.requiredAntiAffinity.length === 0 ? noCounts : unwantedCounts(pod, cluster);
  const hasOwn = pod.requiredAffinity.length > 0 || pod.requiredAntiAffinity.length > 0;
  return hasOwn || repelling.size > 0 ? { repelling, wanted, unwanted } : undefined;
}

const noCounts: TopologyCounts = new Map();

function repellingCounts(pod: PodInfo, cluster: Cluster): TopologyCounts {
  if (!cluster.hasRequiredAntiAffinity) return noCounts;
  const namespaceLabels = namespaceLabelsOf(cluster);
  const sharesOf = (node: NodeInfo, count: CountShare) => {
    for (const { requiredAntiAffinity } of node.podsWithRequiredAntiAffinity.values()) {
      for (const term of requiredAntiAffinity)
        if (termMatches(term, pod, namespaceLabels)) count(term.topologyKey, 1);
    }
  };
  return cluster.sumOf(
    `repelling ${targetKey(pod, namespaceLabels)}`,
    () => topologySum(sharesOf),
    () => cluster.nodesWithRequiredAntiAffinity,
  );
}

function wantedCounts(pod: PodInfo, cluster: Cluster): TopologyCounts {
  const terms = pod.requiredAffinity;
  const namespaceLabels = namespaceLabelsOf(cluster);
  const sharesOf = (node: NodeInfo, count: CountShare) => {
    for (const { sample, all } of node.labelGroups.values()) {
      if (!matchesAll(terms, sample, namespaceLabels)) continue;
      for (const { topologyKey } of terms) count(topologyKey, all);
    }
  };
  return cluster.sumOf(`wanted ${termsKey(terms, cluster)}`, () => topologySum(sharesOf));
}

function unwantedCounts(pod: PodInfo, cluster: Cluster): TopologyCounts {
  const terms = pod.requiredAntiAffinity;
  const namespaceLabels = namespaceLabelsOf(cluster);
  const sharesOf = (node: NodeInfo, count: CountShare) => {
    for (const { sample, all } of node.labelGroups.values()) {
      for (const term of terms) if (termMatches(term, sample, namespaceLabels)) count(term.topologyKey, all);
    }
  };
  return cluster.sumOf(`unwanted ${termsKey(terms, cluster)}`, () => topologySum(sharesOf));
}

/** Everything about a pod that other pods' terms can select by. */
export const targetKey = (pod: PodInfo, namespaceLabels: NamespaceLabels): string =>
  `${pod.labelGroup}\n${JSON.stringify(namespaceLabels(pod.namespace))}`;

/** Everything that determines which pods the terms select. */
export function termsKey(terms: readonly AffinityTerm[], { objects }: Cluster): string {
  const asksNamespaces = terms.some(({ namespaceSelector }) => !namespaceSelector.nothing);
  const keys = terms.map(({ key }) => key);
  return asksNamespaces ? `${objects.namespacesVersion} ${keys.join(' ')}` : keys.join(' ');
}

export function shiftRequired(
  state: RequiredState,
  pod: PodInfo,
  other: PodInfo,
  node: NodeInfo,
  by: 1 | -1,
  cluster: Cluster,
): void {
  const namespaceLabels = namespaceLabelsOf(cluster);
  countTerms(state.repelling, other.requiredAntiAffinity, pod, node, by, namespaceLabels);
  countOwn(state, pod, other, node, by, namespaceLabels);
}

export const cloneRequired = (state: RequiredState): RequiredState => ({
  repelling: cloneCounts(state.repelling),
  wanted: cloneCounts(state.wanted),
  unwanted: cloneCounts(state.unwanted),
});

export function requiredTermsAllow(
  state: RequiredState,
  pod: PodInfo,
  node: NodeInfo,
  cluster: Cluster,
): Status {
  if (!hasCompany(state, pod, node, cluster)) return noCompany;
  if (pod.requiredAntiAffinity.some((term) => countAt(state.unwanted, node, term.topologyKey) > 0))
    return badCompany;
  for (const key of state.repelling.keys()) if (countAt(state.repelling, node, key) > 0) return notWelcome;
  return fits;
}

/** A pod that has affinity to pods like itself may be the first of them, on any node with the topology labels. */
function hasCompany({ wanted }: RequiredState, pod: PodInfo, node: NodeInfo, cluster: Cluster): boolean {
  const terms = pod.requiredAffinity;
  if (terms.some(({ topologyKey }) => node.label(topologyKey) === undefined)) return false;
  if (terms.every((term) => countAt(wanted, node, term.topologyKey) > 0)) return true;
  return wanted.size === 0 && matchesAll(terms, pod, namespaceLabelsOf(cluster));
}

export type NamespaceLabels = (namespace: string) => Labels;

export const namespaceLabelsOf =
  (cluster: Cluster): NamespaceLabels =>
  (namespace) =>
    cluster.objects.namespaceLabels(namespace);

function countOwn(
  state: RequiredState,
  pod: PodInfo,
  other: LabelledPod,
  node: NodeInfo,
  by: number,
  namespaceLabels: NamespaceLabels,
): void {
  if (matchesAll(pod.requiredAffinity, other, namespaceLabels)) {
    for (const { topologyKey } of pod.requiredAffinity) addToTopology(state.wanted, node, topologyKey, by);
  }
  countTerms(state.unwanted, pod.requiredAntiAffinity, other, node, by, namespaceLabels);
}

function countTerms(
  counts: TopologyCounts,
  terms: readonly AffinityTerm[],
  pod: LabelledPod,
  node: NodeInfo,
  by: number,
  namespaceLabels: NamespaceLabels,
): void {
  for (const term of terms)
    if (termMatches(term, pod, namespaceLabels)) addToTopology(counts, node, term.topologyKey, by);
}

export const matchesAll = (
  terms: readonly AffinityTerm[],
  pod: LabelledPod,
  namespaceLabels: NamespaceLabels,
): boolean => terms.length > 0 && terms.every((term) => termMatches(term, pod, namespaceLabels));
