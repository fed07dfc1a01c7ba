import type { Labels } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { affinityTerm, type AffinityTerm } from './affinity-term.ts';
import { hostPortsOf, type HostPort } from './host-ports.ts';
import {
  assumedMemoryBytes,
  assumedMilliCpu,
  AmountInterner,
  podRequests,
  type ResourceAmounts,
} from './resources.ts';

/** A pod with what the scheduler computes from it once. */
export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  /** `namespace/name` */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  /** The same for pods that no selector can tell apart. */
  readonly labelGroup: string;
  readonly priority: number;
  readonly requests: ResourceAmounts;
  /** `requests`, with something assumed for containers that ask for nothing. */
  readonly requestsForScore: ResourceAmounts;
  readonly hostPorts: readonly HostPort[];
  /** Names of claims in the pod's namespace. */
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

/** The info after an update; what was computed is kept when nothing that it came from has changed. */
export function updatedPodInfo(info: PodInfo, pod: Pod): PodInfo {
  const before = info.pod;
  const same =
    before.metadata?.generation === pod.metadata?.generation &&
    before.metadata?.uid === pod.metadata?.uid &&
    before.metadata?.generation !== undefined &&
    labelGroupOf(info.namespace, pod.metadata?.labels ?? {}) === info.labelGroup;
  return same ? { ...info, pod } : podInfo(pod);
}

/** Whether the one, an update of the other, adds the same to all that is counted of a node's pods. */
export const countsAlike = (info: PodInfo, updated: PodInfo): boolean =>
  counted.every((member) => info[member] === updated[member]) &&
  isTerminating(info.pod) === isTerminating(updated.pod);

/** Lists that were computed anew are others, even where the same is in them. */
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
    if (volume.persistentVolumeClaim) names.push(volume.persistentVolumeClaim.claimName);
    else if (volume.ephemeral) names.push(`${pod.metadata?.name}-${volume.name}`);
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
