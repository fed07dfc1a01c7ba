/** The arithmetic of a rollout: the number of replicas that each ReplicaSet should have. */

import { scaledIntOrPercent } from '@coxswain/apimachinery';
import type { Deployment, ReplicaSet } from '../objects.ts';

export const replicasOf = (set: ReplicaSet | undefined): number =>
  set?.spec?.replicas ?? (set === undefined ? 0 : 1);
export const wantedReplicas = (deployment: Deployment): number => deployment.spec?.replicas ?? 1;

const sum = (sets: readonly (ReplicaSet | undefined)[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + (set === undefined ? 0 : of(set)), 0);

export const totalWanted = (sets: readonly (ReplicaSet | undefined)[]): number => sum(sets, replicasOf);
export const totalActual = (sets: readonly (ReplicaSet | undefined)[]): number =>
  sum(sets, (set) => set.status?.replicas ?? 0);
export const totalReady = (sets: readonly (ReplicaSet | undefined)[]): number =>
  sum(sets, (set) => set.status?.readyReplicas ?? 0);
export const totalAvailable = (sets: readonly (ReplicaSet | undefined)[]): number =>
  sum(sets, (set) => set.status?.availableReplicas ?? 0);

/** Undefined as long as one of the ReplicaSets has not reported it. */
export function totalTerminating(sets: readonly (ReplicaSet | undefined)[]): number | undefined {
  let total = 0;
  for (const set of sets) {
    if (set === undefined) continue;
    if (set.status?.terminatingReplicas === undefined) return undefined;
    total += set.status.terminatingReplicas;
  }
  return total;
}

export const isActiveSet = (set: ReplicaSet | undefined): set is ReplicaSet =>
  set !== undefined && replicasOf(set) > 0;

export const isRolling = (deployment: Deployment): boolean =>
  deployment.spec?.strategy?.type === 'RollingUpdate';

/** The number of pods that may be unavailable during a rolling update. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = wantedReplicas(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(replicas, fenceposts(deployment).unavailable);
}

/** The number of pods by which a rolling update may exceed the desired count. */
export const maxSurge = (deployment: Deployment): number =>
  isRolling(deployment) ? fenceposts(deployment).surge : 0;

/** If both were zero, the rollout could not make progress, so one pod may then be unavailable. */
function fenceposts(deployment: Deployment): { surge: number; unavailable: number } {
  const { maxSurge: surgeSpec, maxUnavailable: unavailableSpec } =
    deployment.spec?.strategy?.rollingUpdate ?? {};
  const replicas = wantedReplicas(deployment);
  const surge = scaledIntOrPercent(surgeSpec ?? 0, replicas, true);
  const unavailable = scaledIntOrPercent(unavailableSpec ?? 0, replicas, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The size to which the new ReplicaSet may grow alongside the old ones. */
export function newSetReplicas(
  deployment: Deployment,
  sets: readonly (ReplicaSet | undefined)[],
  newReplicas: number,
): number {
  const replicas = wantedReplicas(deployment);
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurgeOf(deployment) - totalWanted(sets);
  return room <= 0 ? newReplicas : newReplicas + Math.min(room, replicas - newReplicas);
}

const maxSurgeOf = (deployment: Deployment): number =>
  scaledIntOrPercent(
    deployment.spec?.strategy?.rollingUpdate?.maxSurge ?? 0,
    wantedReplicas(deployment),
    true,
  );

export interface Scaling {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/** Removes unavailable old pods first, up to `countMax`, since they serve no traffic. */
export function scaleDownUnhealthy(oldSets: readonly ReplicaSet[], countMax: number): Scaling[] {
  const scalings: Scaling[] = [];
  let left = countMax;
  for (const set of byCreation(oldSets)) {
    const unhealthy = replicasOf(set) - (set.status?.availableReplicas ?? 0);
    if (left <= 0) break;
    if (replicasOf(set) === 0 || unhealthy === 0) continue;
    const count = Math.min(left, unhealthy);
    scalings.push({ set, replicas: replicasOf(set) - count });
    left -= count;
  }
  return scalings;
}

/** Then removes healthy ones, as long as enough pods remain available. */
export function scaleDownOld(
  deployment: Deployment,
  sets: readonly (ReplicaSet | undefined)[],
  oldSets: readonly ReplicaSet[],
): Scaling[] {
  const scalings: Scaling[] = [];
  let left = totalAvailable(sets) - (wantedReplicas(deployment) - maxUnavailable(deployment));
  for (const set of byCreation(oldSets)) {
    if (left <= 0) break;
    if (replicasOf(set) === 0) continue;
    const count = Math.min(replicasOf(set), left);
    scalings.push({ set, replicas: replicasOf(set) - count });
    left -= count;
  }
  return scalings;
}

/** Distributes a change of size over several ReplicaSets in proportion to their sizes. */
export function scaleProportionally(
  deployment: Deployment,
  active: readonly ReplicaSet[],
  maxReplicasBefore: (set: ReplicaSet) => number | undefined,
): Scaling[] {
  const replicas = wantedReplicas(deployment);
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const change = allowed - totalWanted(active);
  const sorted = change > 0 ? bySizeNewer(active) : change < 0 ? bySizeOlder(active) : [...active];
  let changed = 0;
  const sizes = sorted.map((set) => {
    const share = proportion(deployment, set, change, changed, maxReplicasBefore(set));
    changed += share;
    return replicasOf(set) + share;
  });
  // The largest gets the remainder from rounding.
  if (change !== 0 && sizes.length > 0) sizes[0] = Math.max(0, sizes[0]! + change - changed);
  return sorted.map((set, index) => ({ set, replicas: sizes[index]! }));
}

function proportion(
  deployment: Deployment,
  set: ReplicaSet,
  change: number,
  changed: number,
  maxBefore: number | undefined,
): number {
  if (replicasOf(set) === 0 || change === 0 || change === changed) return 0;
  const share = fraction(deployment, set, maxBefore);
  const allowed = change - changed;
  return change > 0 ? Math.min(share, allowed) : Math.max(share, allowed);
}

function fraction(deployment: Deployment, set: ReplicaSet, maxBefore: number | undefined): number {
  if (wantedReplicas(deployment) === 0) return -replicasOf(set);
  const before = maxBefore || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const size = (replicasOf(set) * (wantedReplicas(deployment) + maxSurge(deployment))) / before;
  return roundAwayFromZero(size) - replicasOf(set);
}

const roundAwayFromZero = (value: number): number =>
  value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5);

type Order = (a: ReplicaSet, b: ReplicaSet) => number;

const text = (a: string | undefined, b: string | undefined): number =>
  (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;

export const creationOrder: Order = (a, b) =>
  text(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || text(a.metadata.name, b.metadata.name);

/** Oldest first. */
export const byCreation = (sets: readonly ReplicaSet[]): ReplicaSet[] => [...sets].sort(creationOrder);

const bySizeNewer = (sets: readonly ReplicaSet[]): ReplicaSet[] =>
  [...sets].sort((a, b) => replicasOf(b) - replicasOf(a) || creationOrder(b, a));
const bySizeOlder = (sets: readonly ReplicaSet[]): ReplicaSet[] =>
  [...sets].sort((a, b) => replicasOf(b) - replicasOf(a) || creationOrder(a, b));
