/** Decides, without acting, which nodes get a daemon pod, which pods are removed, and the resulting status. */

import { scaledIntOrPercent } from '@coxswain/apimachinery';
import type { DaemonSet, Node, Pod } from '../objects.ts';
import { isAvailable, isReady } from '../pods/pod-state.ts';
import { fitOf, isUpToDate, nodeOf } from './daemon-pod.ts';

export interface DaemonPlan {
  /** Node names. */
  readonly create: string[];
  readonly remove: Pod[];
  readonly failed: { readonly pod: Pod; readonly node: string }[];
  readonly succeeded: { readonly pod: Pod; readonly node: string }[];
}

export interface DaemonView {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  readonly hash: string;
  readonly nowMs: number;
}

export function groupByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node !== undefined) groups.set(node, [...(groups.get(node) ?? []), pod]);
  }
  return groups;
}

/** Plans one pod on every eligible node, and none elsewhere. */
export function planPlacement(view: DaemonView): DaemonPlan {
  const plan: DaemonPlan = { create: [], remove: [], failed: [], succeeded: [] };
  for (const node of view.nodes) planNode(view, node, plan);
  const known = new Set(view.nodes.map(({ metadata }) => metadata.name));
  for (const [node, pods] of view.podsByNode) {
    // Intended for a node that is gone and never bound, so nothing else would remove it.
    if (!known.has(node)) plan.remove.push(...pods.filter(({ spec }) => !spec?.nodeName));
  }
  return plan;
}

function planNode({ set, podsByNode, hash, nowMs }: DaemonView, node: Node, plan: DaemonPlan): void {
  const name = node.metadata.name ?? '';
  const { starts, stays } = fitOf(set, node);
  const all = podsByNode.get(name);
  if (starts && all === undefined) return void plan.create.push(name);
  const pods = (all ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (!stays) return void plan.remove.push(...pods);
  const running: Pod[] = [];
  for (const pod of pods) {
    if (pod.status?.phase === 'Failed') plan.failed.push({ pod, node: name });
    else if (pod.status?.phase === 'Succeeded') plan.succeeded.push({ pod, node: name });
    else running.push(pod);
  }
  running.sort(daemonOrder);
  if (!allowsSurge(set)) return void plan.remove.push(...running.slice(1));
  if (running.length === 0 && starts) return void plan.create.push(name);
  removeSurplus(set, running, hash, nowMs, plan);
}

/** With maxSurge, an old and a new pod may coexist until the new one is available. */
function removeSurplus(
  set: DaemonSet,
  running: readonly Pod[],
  hash: string,
  nowMs: number,
  plan: DaemonPlan,
): void {
  const newest = running.find((pod) => isUpToDate(set, pod, hash));
  const old = running.find((pod) => !isUpToDate(set, pod, hash));
  plan.remove.push(...running.filter((pod) => pod !== newest && pod !== old));
  if (newest === undefined || old === undefined) return;
  if (!isReady(old) || isAvailable(newest, set.spec?.minReadySeconds ?? 0, nowMs)) plan.remove.push(old);
}

/** Plans which old pods are replaced, within the limits of the rolling update. */
export function planUpdate(view: DaemonView): DaemonPlan {
  const desired = view.nodes.filter((node) => fitOf(view.set, node).starts);
  const limits = updateLimits(view.set, desired.length);
  const nodes = new Set([...view.podsByNode.keys(), ...desired.map(({ metadata }) => metadata.name ?? '')]);
  return limits.surge === 0
    ? replaceInPlace(view, nodes, limits.unavailable)
    : replaceBeside(view, nodes, limits.surge, desired.length);
}

interface NodePods {
  readonly current?: Pod | undefined;
  readonly old?: Pod | undefined;
}

/** Undefined if there are too many: placement removes the surplus first. */
function podsOn({ set, podsByNode, hash }: DaemonView, node: string): NodePods | undefined {
  const pods = (podsByNode.get(node) ?? []).filter(
    ({ metadata }) => metadata.deletionTimestamp === undefined,
  );
  const current = pods.filter((pod) => isUpToDate(set, pod, hash));
  const old = pods.filter((pod) => !isUpToDate(set, pod, hash));
  return current.length > 1 || old.length > 1 ? undefined : { current: current[0], old: old[0] };
}

function replaceInPlace(view: DaemonView, nodes: ReadonlySet<string>, unavailableMax: number): DaemonPlan {
  const available = (pod: Pod) => isAvailable(pod, view.set.spec?.minReadySeconds ?? 0, view.nowMs);
  const broken: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const node of nodes) {
    const pods = podsOn(view, node);
    if (pods === undefined || (pods.current === undefined) === (pods.old === undefined)) unavailable++;
    else if (pods.current !== undefined) unavailable += available(pods.current) ? 0 : 1;
    else if (!available(pods.old!)) {
      broken.push(pods.old!);
      unavailable++;
    } else candidates.push(pods.old!);
  }
  const remove = [...broken, ...candidates.slice(0, Math.max(0, unavailableMax - unavailable))];
  return { create: [], remove, failed: [], succeeded: [] };
}

function replaceBeside(
  view: DaemonView,
  nodes: ReadonlySet<string>,
  surgeMax: number,
  desired: number,
): DaemonPlan {
  const available = (pod: Pod) => isAvailable(pod, view.set.spec?.minReadySeconds ?? 0, view.nowMs);
  const byName = new Map(view.nodes.map((node) => [node.metadata.name ?? '', node]));
  const plan: DaemonPlan = { create: [], remove: [], failed: [], succeeded: [] };
  const candidates: string[] = [];
  const misplaced: Pod[] = [];
  let surge = 0;
  let availableCount = 0;
  for (const name of nodes) {
    const pods = podsOn(view, name);
    if (pods === undefined) {
      surge++;
      continue;
    }
    const { current, old } = pods;
    const counted = old ?? current;
    if (counted !== undefined && available(counted)) availableCount++;
    if (old === undefined) continue;
    if (current === undefined) {
      const node = byName.get(name);
      const starts = node !== undefined && fitOf(view.set, node).starts;
      if (!starts) (available(old) ? misplaced : plan.remove).push(old);
      else if (available(old)) candidates.push(name);
      else plan.create.push(name);
    } else if (available(current)) plan.remove.push(old);
    else surge++;
  }
  plan.remove.push(...misplaced.slice(0, Math.max(0, availableCount - desired)));
  plan.create.push(...candidates.slice(0, Math.max(0, surgeMax - surge)));
  return plan;
}

function updateLimits({ spec }: DaemonSet, desired: number): { surge: number; unavailable: number } {
  const rolling =
    spec?.updateStrategy?.type === 'RollingUpdate' ? spec.updateStrategy.rollingUpdate : undefined;
  const surge = scaledIntOrPercent(rolling?.maxSurge ?? 0, desired, true);
  const unavailable = scaledIntOrPercent(rolling?.maxUnavailable ?? 0, desired, true);
  return { surge, unavailable: desired > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function allowsSurge({ spec }: DaemonSet): boolean {
  if (spec?.updateStrategy?.type !== 'RollingUpdate') return false;
  return scaledIntOrPercent(spec.updateStrategy.rollingUpdate?.maxSurge ?? 0, 1, true) > 0;
}

export type DaemonSetStatus = NonNullable<DaemonSet['status']>;

export function daemonSetStatus(
  { set, nodes, podsByNode, hash, nowMs }: DaemonView,
  observed: boolean,
): DaemonSetStatus {
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const pods = [...(podsByNode.get(node.metadata.name ?? '') ?? [])].sort(daemonOrder);
    const [pod] = pods;
    if (!fitOf(set, node).starts) {
      if (pod !== undefined) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (pod === undefined) continue;
    counts.current++;
    if (isReady(pod)) counts.ready++;
    if (isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs)) counts.available++;
    if (isUpToDate(set, pod, hash)) counts.updated++;
  }
  const { desired, current, misscheduled, ready, updated, available } = counts;
  const { conditions, collisionCount } = set.status ?? {};
  const generation = observed ? set.metadata.generation : set.status?.observedGeneration;
  return {
    currentNumberScheduled: current,
    numberMisscheduled: misscheduled,
    desiredNumberScheduled: desired,
    numberReady: ready,
    ...(generation ? { observedGeneration: generation } : {}),
    ...(updated ? { updatedNumberScheduled: updated } : {}),
    ...(available ? { numberAvailable: available } : {}),
    ...(desired - available ? { numberUnavailable: desired - available } : {}),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/** Bound pods come first, then older ones. */
function daemonOrder(a: Pod, b: Pod): number {
  const bound = Number(Boolean(b.spec?.nodeName)) - Number(Boolean(a.spec?.nodeName));
  if (bound !== 0) return bound;
  const [createdA = '', createdB = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (createdA !== createdB) return createdA < createdB ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
