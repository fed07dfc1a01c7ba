/** The strategy Recreate. */

import { isFinished } from '../pods/pod-state.ts';
import { isActiveSet, totalActual, wantedReplicas } from './replica-counts.ts';
import { isComplete } from './status.ts';
import type { Rollout } from './rollout.ts';
import { findReplicaSets } from './replica-sets.ts';

export async function recreate(rollout: Rollout): Promise<number | void> {
  await findReplicaSets(rollout, false);
  let scaled = false;
  for (const set of rollout.oldSets.filter(isActiveSet))
    scaled = (await rollout.scale({ set, replicas: 0 })) || scaled;
  if (scaled || oldPodsRun(rollout)) return rollout.writeRollout();
  if (rollout.newSet === undefined) await findReplicaSets(rollout, true);
  await rollout.scale({ set: rollout.newSet!, replicas: wantedReplicas(rollout.deployment) });
  if (isComplete(rollout.deployment, rollout.deployment.status)) await rollout.cleanUp();
  return rollout.writeRollout();
}

function oldPodsRun(rollout: Rollout): boolean {
  if (totalActual(rollout.oldSets) > 0) return true;
  return rollout.oldSets.some((set) => rollout.options.podsOf(set).some((pod) => !isFinished(pod)));
}
