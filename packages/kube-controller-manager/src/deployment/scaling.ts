/** Changes only the size of a Deployment: its number of replicas was changed, or it is paused. */

import type { ReplicaSet } from '../objects.ts';
import {
  byCreation,
  isActiveSet,
  isRolling,
  replicasOf,
  scaleProportionally,
  wantedReplicas,
  type Scaling,
} from './replica-counts.ts';
import {
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  replicaAnnotation,
  rollbackAnnotation,
} from './revisions.ts';
import type { Rollout } from './rollout.ts';
import { findReplicaSets } from './replica-sets.ts';

export async function isScalingEvent(rollout: Rollout): Promise<boolean> {
  await findReplicaSets(rollout, false);
  const wanted = wantedReplicas(rollout.deployment);
  return rollout.sets.filter(isActiveSet).some((set) => {
    const desired = replicaAnnotation(set, desiredReplicasAnnotation);
    return desired !== undefined && desired !== wanted;
  });
}

export async function syncSize(rollout: Rollout): Promise<void> {
  await findReplicaSets(rollout, false);
  const { scalings, forced } = resizing(rollout);
  for (const scaling of scalings) await rollout.scale(scaling, forced);
  const { paused } = rollout.deployment.spec ?? {};
  if (paused && !rollout.deployment.metadata.annotations?.[rollbackAnnotation]) await rollout.cleanUp();
  await rollout.writeCounted();
}

/** With `forced`, annotations are updated even if the number of replicas is unchanged. */
function resizing(rollout: Rollout): { scalings: readonly Scaling[]; forced: boolean } {
  const wanted = wantedReplicas(rollout.deployment);
  const active = rollout.sets.filter(isActiveSet);
  if (active.length <= 1) {
    const only = active[0] ?? rollout.newSet ?? byCreation(rollout.oldSets).at(-1);
    const scalings =
      only === undefined || replicasOf(only) === wanted ? [] : [{ set: only, replicas: wanted }];
    return { scalings, forced: false };
  }
  if (isSaturated(rollout)) {
    return {
      scalings: rollout.oldSets.filter(isActiveSet).map((set) => ({ set, replicas: 0 })),
      forced: false,
    };
  }
  if (!isRolling(rollout.deployment)) return { scalings: [], forced: false };
  const before = (set: ReplicaSet) => replicaAnnotation(set, maxReplicasAnnotation);
  return { scalings: scaleProportionally(rollout.deployment, active, before), forced: true };
}

function isSaturated(rollout: Rollout): boolean {
  const wanted = wantedReplicas(rollout.deployment);
  const set = rollout.newSet;
  return (
    set !== undefined &&
    replicasOf(set) === wanted &&
    replicaAnnotation(set, desiredReplicasAnnotation) === wanted &&
    (set.status?.availableReplicas ?? 0) === wanted
  );
}
