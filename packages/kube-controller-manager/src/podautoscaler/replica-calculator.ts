/** Computes how many replicas bring a metric to its target: pure arithmetic without any I/O. */
import { approximateFloat, parseQuantity, quantityMilliValue } from '@coxswain/apimachinery/quantity.ts';
import { epochMsOf } from '@coxswain/apimachinery';
import type { Pod } from '../objects.ts';
import { isReady, podCondition } from '../pods/pod-state.ts';
import type { AutoscalerSettings } from '../settings.ts';
import type { Behavior } from './autoscaler.ts';
import type { PodMetrics } from './metrics-client.ts';

/** The relative deviations from the target that are tolerated. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

export function tolerancesOf(behavior: Behavior | undefined, tolerance: number): Tolerances {
  const own = (text: string | undefined): number =>
    text === undefined ? tolerance : approximateFloat(parseQuantity(text));
  return { up: own(behavior?.scaleUp?.tolerance), down: own(behavior?.scaleDown?.tolerance) };
}

export const isWithin = ({ up, down }: Tolerances, ratio: number): boolean =>
  1 - down <= ratio && ratio <= 1 + up;

/** Classifies pods: terminating and failed ones don't count, starting ones count partially. */
export interface PodGroups {
  readonly readyCount: number;
  readonly unready: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

export function groupPods(
  pods: readonly Pod[],
  metrics: PodMetrics,
  resource: string,
  settings: AutoscalerSettings,
  nowMs: number,
): PodGroups {
  const unready = new Set<string>();
  const missing = new Set<string>();
  const ignored = new Set<string>();
  let readyCount = 0;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined || pod.status?.phase === 'Failed') ignored.add(name);
    else if (pod.status?.phase === 'Pending') unready.add(name);
    else if (!metrics.has(name)) missing.add(name);
    else if (resource === 'cpu' && isStarting(pod, metrics, settings, nowMs)) unready.add(name);
    else readyCount++;
  }
  return { readyCount, unready, missing, ignored };
}

/** A starting pod uses more CPU than it will need later. */
function isStarting(pod: Pod, metrics: PodMetrics, settings: AutoscalerSettings, nowMs: number): boolean {
  const condition = podCondition(pod, 'Ready');
  const { startTime } = pod.status ?? {};
  if (condition === undefined || !startTime) return true;
  const isUnready = condition.status === 'False';
  const startedMs = epochMsOf(startTime);
  const changedMs = condition.lastTransitionTime ? epochMsOf(condition.lastTransitionTime) : 0;
  if (startedMs + settings.cpuInitializationMs > nowMs) {
    const metric = metrics.get(pod.metadata.name ?? '')!;
    return isUnready || metric.timestampMs < changedMs + metric.windowMs;
  }
  return isUnready && startedMs + settings.initialReadinessMs > changedMs;
}

export const countReady = (pods: readonly Pod[]): number =>
  pods.filter((pod) => pod.status?.phase === 'Running' && isReady(pod)).length;

export interface PodQuestion {
  readonly metrics: PodMetrics;
  readonly groups: PodGroups;
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
  /** The ratio of usage to target. */
  readonly ratioOf: (metrics: PodMetrics) => number;
  /** The assumed usage of a pod without a metric when scaling down. */
  readonly assumedOf: (pod: string) => number;
}

/** @throws Error if no pod counts */
export function replicasForPods(question: PodQuestion): number {
  const { groups, currentReplicas, tolerances, ratioOf } = question;
  const counted = countedMetrics(question);
  const ratio = ratioOf(counted);
  const { missing, unready, readyCount } = groups;
  const countsUnready = unready.size > 0 && ratio > 1;
  if (!countsUnready && missing.size === 0) {
    return isWithin(tolerances, ratio) ? currentReplicas : Math.ceil(ratio * readyCount);
  }
  const assumed = new Map(counted);
  const assume = (pod: string, value: number) => assumed.set(pod, { value, timestampMs: 0, windowMs: 0 });
  // Unknown values are assumed to oppose the change.
  if (ratio < 1) for (const pod of missing) assume(pod, question.assumedOf(pod));
  if (ratio > 1) for (const pod of missing) assume(pod, 0);
  if (countsUnready) for (const pod of unready) assume(pod, 0);
  const damped = ratioOf(assumed);
  if (isWithin(tolerances, damped) || (ratio < 1 && damped > 1) || (ratio > 1 && damped < 1)) {
    return currentReplicas;
  }
  const replicas = Math.ceil(damped * assumed.size);
  const turnsAround = damped < 1 ? replicas > currentReplicas : damped > 1 && replicas < currentReplicas;
  return turnsAround ? currentReplicas : replicas;
}

/** @throws Error if none is left */
export function countedMetrics({ metrics, groups }: Pick<PodQuestion, 'metrics' | 'groups'>): PodMetrics {
  const counted = new Map(
    [...metrics].filter(([pod]) => !groups.ignored.has(pod) && !groups.unready.has(pod)),
  );
  if (counted.size === 0) {
    throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  }
  return counted;
}

const sumOf = (metrics: PodMetrics): number =>
  [...metrics.values()].reduce((sum, { value }) => sum + value, 0);

export const averageOf = (metrics: PodMetrics): number => Math.trunc(sumOf(metrics) / metrics.size);

export interface Utilization {
  readonly percent: number;
  /** In thousandths. */
  readonly average: number;
}

/** @param requests in thousandths, by pod @throws Error if no pod has both */
export function utilizationOf(metrics: PodMetrics, requests: ReadonlyMap<string, number>): Utilization {
  let used = 0;
  let requested = 0;
  let count = 0;
  for (const [pod, { value }] of metrics) {
    const request = requests.get(pod);
    if (request === undefined) continue;
    used += value;
    requested += request;
    count++;
  }
  if (requested === 0) throw new Error('no metrics returned matched known pods');
  return { percent: Math.trunc((used * 100) / requested), average: Math.trunc(used / count) };
}

/**
 * Returns requests for `resource` in thousandths, by pod.
 * @param container only this container, or all if empty
 * @throws Error with upstream's message if one is missing
 */
export const requestsOf = (
  pods: readonly Pod[],
  container: string,
  resource: string,
): ReadonlyMap<string, number> =>
  new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, container, resource)]));

function requestOf(pod: Pod, container: string, resource: string): number {
  const { name } = pod.metadata;
  const ofPod = pod.spec?.resources?.requests ?? {};
  if (container === '' && Object.keys(ofPod).length > 0) {
    const request = ofPod[resource];
    if (request === undefined) throw new Error(`missing pod-level request for ${resource} in Pod ${name}`);
    return milliOf(request);
  }
  const restarting = (pod.spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  const all = [...(pod.spec?.containers ?? []), ...restarting];
  const counted = container === '' ? all : all.filter((one) => one.name === container);
  if (counted.length === 0 && container !== '')
    throw new Error(`container ${container} not found in Pod ${name}`);
  return counted.reduce((sum, one) => {
    const request = one.resources?.requests?.[resource];
    if (request === undefined) {
      throw new Error(`missing request for ${resource} in container ${one.name} of Pod ${name}`);
    }
    return sum + milliOf(request);
  }, 0);
}

const milliOf = (text: string): number => quantityMilliValue(parseQuantity(text));

const replicasMax = 2 ** 31 - 1;

/** For a single value shared by all pods; a target without pods gets as many as the ratio indicates. */
export function replicasForRatio(
  ratio: number,
  currentReplicas: number,
  tolerances: Tolerances,
  readyCount: () => number,
): number {
  if (currentReplicas === 0) return Math.ceil(ratio);
  if (isWithin(tolerances, ratio)) return currentReplicas;
  return Math.min(Math.ceil(ratio * readyCount()), replicasMax);
}

/** For a single value that is divided among the pods. */
export function replicasForShare(
  usage: number,
  target: number,
  statusReplicas: number,
  tolerances: Tolerances,
): { readonly replicas: number; readonly average: number } {
  const ratio = usage / (target * statusReplicas);
  const replicas = isWithin(tolerances, ratio)
    ? statusReplicas
    : Math.min(Math.ceil(usage / target), replicasMax);
  return { replicas, average: Math.ceil(usage / statusReplicas) };
}
