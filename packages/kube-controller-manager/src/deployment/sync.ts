/** Reconciles one Deployment once. */

import { rollbackAnnotation } from './revisions.ts';
import { condition, hasProgressDeadline, newCondition, timedOutReason, withCondition } from './status.ts';
import type { Rollout } from './rollout.ts';
import { findReplicaSets } from './replica-sets.ts';
import { recreate } from './recreate.ts';
import { rollBack } from './rollback.ts';
import { rollingUpdate } from './rolling.ts';
import { isScalingEvent, syncSize } from './scaling.ts';

/** Returns the milliseconds after which to check again, if necessary. */
export async function reconcileDeployment(rollout: Rollout): Promise<number | void> {
  const { metadata, spec } = rollout.deployment;
  if (metadata.deletionTimestamp !== undefined) {
    await findReplicaSets(rollout, false);
    return rollout.writeCounted();
  }
  await notePause(rollout);
  if (spec?.paused) return syncSize(rollout);
  if (metadata.annotations?.[rollbackAnnotation]) return rollBack(rollout);
  if (await isScalingEvent(rollout)) return syncSize(rollout);
  return spec?.strategy?.type === 'Recreate' ? recreate(rollout) : rollingUpdate(rollout);
}

/** Warns about a selector that selects all pods, which is a mistake. */
export async function warnAboutSelector(rollout: Rollout): Promise<void> {
  const text = 'This deployment is selecting all pods. A non-empty selector is required.';
  rollout.event('Warning', 'SelectingAll', text);
  const { generation = 0 } = rollout.deployment.metadata;
  if ((rollout.deployment.status?.observedGeneration ?? 0) >= generation) return;
  await rollout.writeStatus({ ...rollout.deployment.status, observedGeneration: generation });
}

async function notePause(rollout: Rollout): Promise<void> {
  if (!hasProgressDeadline(rollout.deployment)) return;
  const status = rollout.deployment.status ?? {};
  const progress = condition(status, 'Progressing');
  if (progress?.reason === timedOutReason) return;
  const isNoted = progress?.reason === 'DeploymentPaused';
  const paused = rollout.deployment.spec?.paused ?? false;
  if (paused === isNoted) return;
  const noted = paused
    ? newCondition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused', rollout.nowMs)
    : newCondition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed', rollout.nowMs);
  await rollout.writeStatus(withCondition(status, noted));
}
