import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { Labels } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isResizeInfeasible } from '@coxswain/api/core/v1/pod/pod-totals.ts';
import { affinityTerm, type AffinityTerm } from './affinity-term.ts';
import { hostPortsOf, type HostPort } from './host-ports.ts';
import {
  assumedMemoryBytes,
  assumedMilliCpu,
  AmountInterner,
  isSame,
  podRequests,
  type ResourceAmounts,
} from './resources.ts';

/** A pod with values that the scheduler computes from it once. */
export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  /** `namespace/name` */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  /** Equal for pods that no selector can distinguish. */
  readonly labelGroup: string;
  readonly priority: number;
  readonly requests: ResourceAmounts;
  /** `requests`, with defaults for containers without any. */
  readonly requestsForScore: ResourceAmounts;
  readonly hostPorts: readonly HostPort[];
  /** The names of the pod's claims, in its namespace. */
  readonly claimNames: readonly string[];
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly AffinityTerm[];
  readonly preferredAntiAffinity: readonly AffinityTerm[];
}

const assumed = { milliCpu: assumedMilliCpu, memoryBytes: assumedMemoryBytes };
const knownRequests = new AmountInterner();
const knownRequestsForScore = new AmountInterner();

export function podInfo(pod: Pod): PodInfo {
  const { metadata, spec } = pod;
  const namespace = metadata?.namespace ?? '';
  const name = metadata?.name ?? '';
  const labels = metadata?.labels ?? {};
  const affinity = spec?.affinity ?? undefined;
  return {
    pod,
    uid: metadata?.uid ?? '',
    key: `${namespace}/${name}`,
    namespace,
    name,
    labels,
    labelGroup: labelGroupOf(namespace, labels),
    priority: spec?.priority ?? 0,
    requests: knownRequests.once(podRequests(pod)),
    requestsForScore: knownRequestsForScore.once(podRequests(pod, assumed)),
    hostPorts: hostPortsOf(pod),
    claimNames: claimNamesOf(pod),
    requiredAffinity: requiredTerms(affinity?.podAffinity, namespace),
    requiredAntiAffinity: requiredTerms(affinity?.podAntiAffinity, namespace),
    preferredAffinity: preferredTerms(affinity?.podAffinity, namespace),
    preferredAntiAffinity: preferredTerms(affinity?.podAntiAffinity, namespace),
  };
}

/** Returns the info after an update, reusing computed values whose inputs are unchanged. */
export function updatedPodInfo(info: PodInfo, pod: Pod): PodInfo {
  const before = info.pod;
  const same =
    before.metadata?.generation === pod.metadata?.generation &&
    before.metadata?.uid === pod.metadata?.uid &&
    before.metadata?.generation !== undefined &&
    areGivenAlike(before, pod) &&
    labelGroupOf(info.namespace, pod.metadata?.labels ?? {}) === info.labelGroup;
  if (same) return { ...info, pod };
  const updated = podInfo(pod);
  return {
    ...updated,
    requests: isSame(updated.requests, info.requests) ? info.requests : updated.requests,
    requestsForScore: isSame(updated.requestsForScore, info.requestsForScore)
      ? info.requestsForScore
      : updated.requestsForScore,
  };
}

/** Whether their nodes have given both pods the same resources; equal parts of an object's versions are shared. */
function areGivenAlike(one: Pod, other: Pod): boolean {
  const [before, after] = [one.status, other.status];
  return (
    before?.resources === after?.resources &&
    before?.allocatedResources === after?.allocatedResources &&
    (before?.conditions === after?.conditions || isResizeInfeasible(one) === isResizeInfeasible(other)) &&
    areContainersGivenAlike(before?.containerStatuses, after?.containerStatuses) &&
    areContainersGivenAlike(before?.initContainerStatuses, after?.initContainerStatuses)
  );
}

type ContainerStatuses = NonNullable<Pod['status']>['containerStatuses'];

const areContainersGivenAlike = (before: ContainerStatuses = [], after: ContainerStatuses = []): boolean =>
  before === after ||
  (before.length === after.length &&
    before.every(
      ({ resources, allocatedResources }, index) =>
        resources === after[index]!.resources && allocatedResources === after[index]!.allocatedResources,
    ));

/** Whether the updated pod contributes the same to its node's sums as before. */
export const countsAlike = (info: PodInfo, updated: PodInfo): boolean =>
  counted.every((member) => info[member] === updated[member]) &&
  isTerminating(info.pod) === isTerminating(updated.pod);

/** Recomputed lists are different objects even if their contents are equal. */
const counted = [
  'labelGroup',
  'requests',
  'requestsForScore',
  'hostPorts',
  'claimNames',
  'requiredAffinity',
  'requiredAntiAffinity',
  'preferredAffinity',
  'preferredAntiAffinity',
] as const satisfies readonly (keyof PodInfo)[];

export const isTerminating = (pod: Pod): boolean =>
  (pod.metadata?.deletionTimestamp ?? undefined) !== undefined;

export const isFinished = (pod: Pod): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const hasAffinity = (info: PodInfo): boolean =>
  info.requiredAffinity.length > 0 ||
  info.requiredAntiAffinity.length > 0 ||
  info.preferredAffinity.length > 0 ||
  info.preferredAntiAffinity.length > 0;

function labelGroupOf(namespace: string, labels: Labels): string {
  let text = namespace;
  for (const key of Object.keys(labels).sort()) text += `\n${key}=${labels[key]}`;
  return text;
}

const noNames: readonly string[] = [];

function claimNamesOf(pod: Pod): readonly string[] {
  const names: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const name = volumeClaimName(pod, volume);
    if (name !== undefined) names.push(name);
  }
  return names.length === 0 ? noNames : names;
}

type Terms =
  | {
      requiredDuringSchedulingIgnoredDuringExecution?: Parameters<typeof affinityTerm>[0][] | null;
      preferredDuringSchedulingIgnoredDuringExecution?:
        | { weight: number; podAffinityTerm: Parameters<typeof affinityTerm>[0] }[]
        | null;
    }
  | null
  | undefined;

const none: readonly AffinityTerm[] = [];

const requiredTerms = (terms: Terms, namespace: string): readonly AffinityTerm[] =>
  terms?.requiredDuringSchedulingIgnoredDuringExecution?.map((term) => affinityTerm(term, namespace)) ?? none;

const preferredTerms = (terms: Terms, namespace: string): readonly AffinityTerm[] =>
  terms?.preferredDuringSchedulingIgnoredDuringExecution?.map(({ weight, podAffinityTerm }) =>
    affinityTerm(podAffinityTerm, namespace, weight),
  ) ?? none;
