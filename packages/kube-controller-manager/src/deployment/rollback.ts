/** Rolls back a Deployment, as requested by the annotation that the API of extensions/v1beta1 leaves. */

import { parseInt64 } from '@coxswain/apimachinery';
import type { Deployment } from '../objects.ts';
import {
  lastRevision,
  revisionOf,
  rollbackAnnotation,
  rolledBackAnnotations,
  sameTemplate,
  withoutHash,
} from './revisions.ts';
import type { Rollout } from './rollout.ts';
import { findReplicaSets } from './replica-sets.ts';

export async function rollBack(rollout: Rollout): Promise<void> {
  await findReplicaSets(rollout, true);
  const sets = rollout.sets.filter((set) => set !== undefined);
  const asked = parseInt64(rollout.deployment.metadata.annotations?.[rollbackAnnotation] ?? '');
  const revision = asked === 0n ? lastRevision(sets) : asked;
  if (revision === 0n) {
    rollout.event('Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
    return clearRollback(rollout, rollout.deployment);
  }
  const target = sets.find((set) => revisionOf(set) === revision);
  if (target === undefined) {
    rollout.event(
      'Warning',
      'DeploymentRollbackRevisionNotFound',
      'Unable to find the revision to rollback to.',
    );
    return clearRollback(rollout, rollout.deployment);
  }
  const { name } = rollout.deployment.metadata;
  if (sameTemplate(rollout.deployment.spec?.template, target.spec?.template)) {
    const text = `The rollback revision contains the same template as current deployment "${name}"`;
    rollout.event('Warning', 'DeploymentRollbackTemplateUnchanged', text);
    return clearRollback(rollout, rollout.deployment);
  }
  const annotations = { ...rolledBackAnnotations(rollout.deployment, target) };
  await clearRollback(rollout, {
    ...rollout.deployment,
    metadata: { ...rollout.deployment.metadata, annotations },
    spec: { ...rollout.deployment.spec!, template: withoutHash(target.spec?.template)! },
  });
  rollout.event('Normal', 'DeploymentRollback', `Rolled back deployment "${name}" to revision ${revision}`);
}

async function clearRollback(rollout: Rollout, deployment: Deployment): Promise<void> {
  const { [rollbackAnnotation]: _done, ...annotations } = deployment.metadata.annotations ?? {};
  await rollout.options.client.update({ ...deployment, metadata: { ...deployment.metadata, annotations } });
}
