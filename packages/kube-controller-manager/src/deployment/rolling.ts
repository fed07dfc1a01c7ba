/** The strategy RollingUpdate. */

import {
  isActiveSet,
  maxUnavailable,
  newSetReplicas,
  replicasOf,
  scaleDownOld,
  scaleDownUnhealthy,
  totalWanted,
  wantedReplicas,
} from './replica-counts.ts';
import { isComplete } from './status.ts';
import type { Rollout } from './rollout.ts';
import { findReplicaSets } from './replica-sets.ts';

export async function rollingUpdate(rollout: Rollout): Promise<number | void> {
  await findReplicaSets(rollout, true);
  if (await scaleUpNewSet(rollout)) return rollout.writeRollout();
  if (await scaleDownOldSets(rollout)) return rollout.writeRollout();
  if (isComplete(rollout.deployment, rollout.deployment.status)) await rollout.cleanUp();
  return rollout.writeRollout();
}

async function scaleUpNewSet(rollout: Rollout): Promise<boolean> {
  const newSet = rollout.newSet!;
  const current = replicasOf(newSet);
  const wanted = wantedReplicas(rollout.deployment);
  if (current === wanted) return false;
  const replicas = current > wanted ? wanted : newSetReplicas(rollout.deployment, rollout.sets, current);
  return rollout.scale({ set: newSet, replicas });
}

async function scaleDownOldSets(rollout: Rollout): Promise<boolean> {
  const active = rollout.oldSets.filter(isActiveSet);
  if (totalWanted(active) === 0) return false;
  const deployment = rollout.deployment;
  const newUnavailable = replicasOf(rollout.newSet) - (rollout.newSet?.status?.availableReplicas ?? 0);
  const countMax =
    totalWanted(rollout.sets) - (wantedReplicas(deployment) - maxUnavailable(deployment)) - newUnavailable;
  if (countMax <= 0) return false;
  const unhealthy = scaleDownUnhealthy(active, countMax);
  for (const scaling of unhealthy) {
    // A status older than the spec still counts more pods than intended: the ReplicaSet is skipped until it has
    // caught up.
    if (scaling.replicas > replicasOf(scaling.set)) return false;
    await rollout.scale(scaling);
  }
  const remaining = active.map(
    (set) => rollout.oldSets.find((one) => one.metadata.uid === set.metadata.uid) ?? set,
  );
  const healthy = scaleDownOld(deployment, [...remaining, rollout.newSet], remaining);
  for (const scaling of healthy) await rollout.scale(scaling);
  return unhealthy.length + healthy.length > 0;
}
