/** How many pods it takes to bring a metric to its target: the arithmetic, without anything that asks somebody. */
import { approximateFloat, parseQuantity, quantityMilliValue } from '@coxswain/apimachinery/quantity.ts';
import { epochMsOf } from '@coxswain/apimachinery';
import type { Pod } from '../objects.ts';
import { isReady, podCondition } from '../pods/pod-state.ts';
import type { AutoscalerSettings } from '../settings.ts';
import type { Behavior } from './autoscaler.ts';
import type { PodMetrics } from './metrics-client.ts';

/** Shares by which a metric may miss its target. */
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

/** Who counts: pods that are stopping or have failed do not, those that start do a little. */
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

/** A pod that starts takes more processor time than it will need. */
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
  /** Of use to target. */
  readonly ratioOf: (metrics: PodMetrics) => number;
  /** What a pod without a metric is taken to use when there would be fewer pods. */
  readonly assumedOf: (pod: string) => number;
}

/** @throws Error when no pod counts */
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
  // What isn't known is taken against the direction of the change.
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

/** @throws Error when none is left */
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
  /** Thousandths. */
  readonly average: number;
}

/** @param requests thousandths by pod @throws Error when no pod is in both */
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
 * Thousandths of `resource` by pod.
 * @param container only this one; empty: all of them
 * @throws Error in the original's words when one is missing
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

/** For one value that all pods share; a target without pods gets as many as the ratio says. */
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

/** For one value that is divided among the pods. */
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
