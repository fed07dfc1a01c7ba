/** Finds the ReplicaSets of a Deployment, and creates the new one. */

import { isStatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ReplicaSet } from '../objects.ts';
import { controllerReference, isControlledBy } from '../owners.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { podTemplateHash } from '../pod-template-hash/pod-template-hash.ts';
import { deploymentKind } from './deployment-kind.ts';
import { newSetReplicas, replicasOf } from './replica-counts.ts';
import {
  findNewSet,
  findOldSets,
  hashLabel,
  newSetAnnotations,
  nextRevision,
  revisionAnnotation,
  sameTemplate,
} from './revisions.ts';
import { condition, hasProgressDeadline, newCondition, withCondition } from './status.ts';
import type { Rollout } from './rollout.ts';

/** Separates the new ReplicaSet from old ones, updates its annotations, and creates it if it is missing. */
export async function findReplicaSets(rollout: Rollout, create: boolean): Promise<void> {
  const { sets } = rollout.options;
  const existing = findNewSet(rollout.deployment, sets);
  const current = rollout.newSet;
  rollout.oldSets = findOldSets(existing, sets).map(
    (set) => rollout.oldSets.find((one) => one.metadata.uid === set.metadata.uid) ?? set,
  );
  const revision = nextRevision(rollout.oldSets);
  if (existing !== undefined) rollout.newSet = await refreshNewSet(rollout, current ?? existing, revision);
  else if (create && current === undefined) rollout.newSet = await createNewSet(rollout, revision);
}

async function refreshNewSet(rollout: Rollout, set: ReplicaSet, revision: bigint): Promise<ReplicaSet> {
  const before = set.metadata.annotations ?? {};
  const annotations = newSetAnnotations(rollout.deployment, before, revision, true);
  const minReadySeconds = rollout.deployment.spec?.minReadySeconds ?? 0;
  if (annotations !== before || (set.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
    return rollout.options.setClient.update({
      ...set,
      metadata: { ...set.metadata, annotations: { ...annotations } },
      spec: { ...set.spec!, minReadySeconds },
    });
  }
  const revised = rollout.setRevision(annotations[revisionAnnotation] ?? '');
  const known = rollout.deployment.status ?? {};
  let status = known;
  if (hasProgressDeadline(rollout.deployment) && condition(status, 'Progressing') === undefined) {
    const text = `Found new replica set "${set.metadata.name}"`;
    status = withCondition(
      status,
      newCondition('Progressing', 'True', 'FoundNewReplicaSet', text, rollout.nowMs),
    );
  }
  if (revised || status !== known) await rollout.writeStatus(status);
  return set;
}

async function createNewSet(rollout: Rollout, revision: bigint): Promise<ReplicaSet> {
  const wanted = newSetObject(rollout, revision);
  const replicas = replicasOf(wanted);
  let created: ReplicaSet;
  let isNew = true;
  try {
    created = await rollout.options.setClient.create(wanted);
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw await noteCreateFailure(rollout, wanted, error);
    created = await resolveCollision(rollout, wanted, error);
    isNew = false;
  }
  if (isNew && replicas > 0) {
    rollout.event(
      'Normal',
      'ScalingReplicaSet',
      `Scaled up replica set ${created.metadata.name} from 0 to ${replicas}`,
    );
  }
  const revised = rollout.setRevision(String(revision));
  const known = rollout.deployment.status ?? {};
  let status = known;
  if (isNew && hasProgressDeadline(rollout.deployment)) {
    const text = `Created new replica set "${created.metadata.name}"`;
    status = withCondition(
      status,
      newCondition('Progressing', 'True', 'NewReplicaSetCreated', text, rollout.nowMs),
    );
  }
  if (revised || status !== known) await rollout.writeStatus(status);
  return created;
}

function newSetObject(rollout: Rollout, revision: bigint): ReplicaSet {
  const { metadata, spec, status } = rollout.deployment;
  const template = spec!.template;
  const hash = podTemplateHash(template, status?.collisionCount);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const selector = spec!.selector!;
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: setName(metadata.name ?? '', hash),
      namespace: metadata.namespace ?? '',
      ownerReferences: [controllerReference(deploymentKind, rollout.deployment)],
      labels,
      annotations: { ...newSetAnnotations(rollout.deployment, {}, revision, false) },
    },
    spec: {
      replicas: 0,
      ...(spec!.minReadySeconds ? { minReadySeconds: spec!.minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  } as unknown as ReplicaSet;
  const replicas = newSetReplicas(rollout.deployment, [...rollout.oldSets, set], 0);
  return { ...set, spec: { ...set.spec!, replicas } };
}

/** The name is taken: by our own write a moment ago, or by a different object, so that the hash must change. */
async function resolveCollision(rollout: Rollout, wanted: ReplicaSet, error: unknown): Promise<ReplicaSet> {
  const cached = rollout.options.cachedSet(wanted.metadata.name ?? '');
  if (cached === undefined) throw error;
  const isOurs =
    isControlledBy(cached, rollout.deployment) &&
    sameTemplate(rollout.deployment.spec?.template, cached.spec?.template);
  if (isOurs) return cached;
  const collisionCount = (rollout.deployment.status?.collisionCount ?? 0) + 1;
  await rollout.writeStatus({ ...rollout.deployment.status, collisionCount });
  throw error;
}

async function noteCreateFailure(rollout: Rollout, wanted: ReplicaSet, error: unknown): Promise<unknown> {
  if (isNamespaceTerminating(error)) return error;
  const text = `Failed to create new replica set "${wanted.metadata.name}": ${messageOf(error)}`;
  if (hasProgressDeadline(rollout.deployment)) {
    const failed = newCondition('Progressing', 'False', 'ReplicaSetCreateError', text, rollout.nowMs);
    await rollout.writeStatus(withCondition(rollout.deployment.status ?? {}, failed)).catch(() => undefined);
  }
  rollout.event('Warning', 'ReplicaSetCreateError', text);
  return error;
}

const nameLengthMax = 253;

function setName(deploymentName: string, hash: string): string {
  return `${deploymentName.slice(0, nameLengthMax - 1 - hash.length)}-${hash}`;
}
