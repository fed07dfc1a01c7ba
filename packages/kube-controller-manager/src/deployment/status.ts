/** Computes the status of a Deployment. */

import { epochMsOf, formatTime } from '@coxswain/apimachinery';
import type { Deployment, ReplicaSet } from '../objects.ts';
import {
  maxUnavailable,
  totalActual,
  totalAvailable,
  totalReady,
  totalTerminating,
  totalWanted,
  wantedReplicas,
} from './replica-counts.ts';

export type DeploymentStatus = NonNullable<Deployment['status']>;
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

const newSetAvailableReason = 'NewReplicaSetAvailable';
export const timedOutReason = 'ProgressDeadlineExceeded';
const int32Max = 2 ** 31 - 1;

export const hasProgressDeadline = ({ spec }: Deployment): boolean =>
  spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== int32Max;

export const condition = (
  status: DeploymentStatus | undefined,
  type: string,
): DeploymentCondition | undefined => status?.conditions?.find((one) => one.type === type);

export function newCondition(
  type: string,
  status: string,
  reason: string,
  message: string,
  nowMs: number,
): DeploymentCondition {
  const now = formatTime(nowMs);
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

/** Unchanged if status and reason are the same; a different message alone is not a change. */
export function withCondition(status: DeploymentStatus, added: DeploymentCondition): DeploymentStatus {
  const current = condition(status, added.type);
  if (current?.status === added.status && current.reason === added.reason) return status;
  const kept =
    current?.status === added.status && current.lastTransitionTime !== undefined
      ? { ...added, lastTransitionTime: current.lastTransitionTime }
      : added;
  return {
    ...status,
    conditions: [...(status.conditions ?? []).filter((one) => one.type !== added.type), kept],
  };
}

function withoutCondition(status: DeploymentStatus, type: string): DeploymentStatus {
  if (condition(status, type) === undefined) return status;
  const { conditions, ...rest } = status;
  const kept = (conditions ?? []).filter((one) => one.type !== type);
  return kept.length === 0 ? rest : { ...rest, conditions: kept };
}

/** Returns the counts, and whether enough replicas are available. */
export function countedStatus(
  deployment: Deployment,
  sets: readonly (ReplicaSet | undefined)[],
  newSet: ReplicaSet | undefined,
  nowMs: number,
): DeploymentStatus {
  const available = totalAvailable(sets);
  const terminating = totalTerminating(sets);
  const { collisionCount, conditions } = deployment.status ?? {};
  const status: DeploymentStatus = {
    ...positive('observedGeneration', deployment.metadata.generation ?? 0),
    ...positive('replicas', totalActual(sets)),
    ...positive('updatedReplicas', totalActual([newSet])),
    ...positive('readyReplicas', totalReady(sets)),
    ...positive('availableReplicas', available),
    ...positive('unavailableReplicas', Math.max(0, totalWanted(sets) - available)),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(conditions === undefined ? {} : { conditions }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
  const enough = available >= wantedReplicas(deployment) - maxUnavailable(deployment);
  return withCondition(
    status,
    enough
      ? newCondition(
          'Available',
          'True',
          'MinimumReplicasAvailable',
          'Deployment has minimum availability.',
          nowMs,
        )
      : newCondition(
          'Available',
          'False',
          'MinimumReplicasUnavailable',
          'Deployment does not have minimum availability.',
          nowMs,
        ),
  );
}

/** Returns the counts, and the progress of the rollout. */
export function rolloutStatus(
  deployment: Deployment,
  sets: readonly (ReplicaSet | undefined)[],
  newSet: ReplicaSet | undefined,
  nowMs: number,
): DeploymentStatus {
  let status = countedStatus(deployment, sets, newSet, nowMs);
  if (hasProgressDeadline(deployment)) status = withProgress(deployment, status, newSet, nowMs);
  else status = withoutCondition(status, 'Progressing');
  const failure = [newSet, ...sets]
    .flatMap((set) => set?.status?.conditions ?? [])
    .find((one) => one.type === 'ReplicaFailure');
  if (failure === undefined) return withoutCondition(status, 'ReplicaFailure');
  const lastTransitionTime = failure.lastTransitionTime ?? formatTime(nowMs);
  return withCondition(status, { ...failure, lastTransitionTime, lastUpdateTime: lastTransitionTime });
}

export const isComplete = (deployment: Deployment, status: DeploymentStatus | undefined): boolean => {
  const replicas = wantedReplicas(deployment);
  return (
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.replicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
};

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newSet: ReplicaSet | undefined,
  nowMs: number,
): DeploymentStatus {
  const current = condition(deployment.status, 'Progressing');
  const done =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === newSetAvailableReason;
  if (done) return status;
  const subject =
    newSet === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newSet.metadata.name}"`;
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(status, newCondition('Progressing', 'True', newSetAvailableReason, message, nowMs));
  }
  if (isProgressing(deployment.status, status)) {
    const progress = newCondition(
      'Progressing',
      'True',
      'ReplicaSetUpdated',
      `${subject} is progressing.`,
      nowMs,
    );
    // Every step updates the condition, but is not a transition.
    const since = current?.status === 'True' ? current.lastTransitionTime : undefined;
    const added = since === undefined ? progress : { ...progress, lastTransitionTime: since };
    return withCondition(withoutCondition(status, 'Progressing'), added);
  }
  if (!hasTimedOut(deployment, status, nowMs)) return status;
  const message = `${subject} has timed out progressing.`;
  return withCondition(status, newCondition('Progressing', 'False', timedOutReason, message, nowMs));
}

function isProgressing(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined) =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, status: DeploymentStatus, nowMs: number): boolean {
  const progress = condition(status, 'Progressing');
  if (progress === undefined || progress.reason === newSetAvailableReason) return false;
  if (progress.reason === timedOutReason) return true;
  const deadlineSeconds = deployment.spec?.progressDeadlineSeconds ?? 0;
  return epochMsOf(progress.lastUpdateTime ?? '1970-01-01T00:00:00Z') + deadlineSeconds * 1000 < nowMs;
}

/** Returns when to check whether the deadline has passed; undefined if it does not apply. */
export function progressCheckMs(
  deployment: Deployment,
  status: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const progress = condition(deployment.status, 'Progressing');
  if (!hasProgressDeadline(deployment) || progress === undefined) return undefined;
  if (isComplete(deployment, status) || progress.reason === timedOutReason) return undefined;
  const dueMs =
    epochMsOf(progress.lastUpdateTime ?? '1970-01-01T00:00:00Z') +
    (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000;
  return Math.max(0, dueMs - nowMs) + 1000;
}

const positive = <K extends string>(name: K, value: number): { [key in K]?: number } =>
  value === 0 ? {} : ({ [name]: value } as { [key in K]: number });
