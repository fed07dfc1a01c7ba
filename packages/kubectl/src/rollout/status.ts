/** Determines the progress of a rollout. */
import { groupKindOf } from './no-visitor.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { progressText } from '../terminal/status-line.ts';

export interface RolloutStatus {
  readonly text: string;
  readonly done: boolean;
}

interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number };
    };
  };
  readonly status?: Readonly<Partial<Record<Count, number>>> & {
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
  };
}

type Count =
  | 'observedGeneration'
  | 'replicas'
  | 'updatedReplicas'
  | 'availableReplicas'
  | 'readyReplicas'
  | 'updatedNumberScheduled'
  | 'desiredNumberScheduled'
  | 'numberAvailable';

const waiting = (text: string): RolloutStatus => ({ text: `${text}...\n`, done: false });
const done = (text: string): RolloutStatus => ({ text: `${text}\n`, done: true });

const viewers: Readonly<Record<string, (workload: Workload) => RolloutStatus>> = {
  Deployment: deploymentStatus,
  DaemonSet: daemonSetStatus,
  StatefulSet: statefulSetStatus,
};

/** @throws Error if it failed, or if the kind has no rollouts */
export function rolloutStatus(workload: KubeObject): RolloutStatus {
  const viewer = viewers[workload.kind ?? ''];
  if (viewer === undefined)
    throw new Error(`no status viewer has been implemented for ${groupKindOf(workload)}`);
  return viewer(workload);
}

/** The progress for people: how many of the pods are updated and available. */
export function rolloutProgress({ kind, spec, status = {} }: Workload): string {
  const isDaemonSet = kind === 'DaemonSet';
  const wanted = isDaemonSet ? (status.desiredNumberScheduled ?? 0) : (spec?.replicas ?? 1);
  const updated = (isDaemonSet ? status.updatedNumberScheduled : status.updatedReplicas) ?? 0;
  const there = (isDaemonSet ? status.numberAvailable : status.availableReplicas) ?? 0;
  return progressText(Math.min(updated, there), wanted, 'pods new and available');
}

const isObserved = ({ metadata, status }: Workload): boolean =>
  (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);

function deploymentStatus(deployment: Workload): RolloutStatus {
  const { metadata, spec, status } = deployment;
  if (!isObserved(deployment)) return waiting('Waiting for deployment spec update to be observed');
  const about = `Waiting for deployment "${metadata.name}" rollout to finish:`;
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status ?? {};
  if (
    status?.conditions?.some(
      ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
    )
  ) {
    throw new Error(`deployment "${metadata.name}" exceeded its progress deadline`);
  }
  const wanted = spec?.replicas ?? 1;
  if (updated < wanted) return waiting(`${about} ${updated} out of ${wanted} new replicas have been updated`);
  if (replicas > updated)
    return waiting(`${about} ${replicas - updated} old replicas are pending termination`);
  if (available < updated)
    return waiting(`${about} ${available} of ${updated} updated replicas are available`);
  return done(`deployment "${metadata.name}" successfully rolled out`);
}

function requireRollingUpdate({ spec }: Workload): void {
  if (spec?.updateStrategy?.type !== 'RollingUpdate') {
    throw new Error('rollout status is only available for RollingUpdate strategy type');
  }
}

function daemonSetStatus(daemonSet: Workload): RolloutStatus {
  requireRollingUpdate(daemonSet);
  if (!isObserved(daemonSet)) return waiting('Waiting for daemon set spec update to be observed');
  const { metadata, status } = daemonSet;
  const {
    updatedNumberScheduled: updated = 0,
    desiredNumberScheduled: desired = 0,
    numberAvailable: available = 0,
  } = status ?? {};
  const about = `Waiting for daemon set "${metadata.name}" rollout to finish:`;
  if (updated < desired) return waiting(`${about} ${updated} out of ${desired} new pods have been updated`);
  if (available < desired) return waiting(`${about} ${available} of ${desired} updated pods are available`);
  return done(`daemon set "${metadata.name}" successfully rolled out`);
}

function statefulSetStatus(statefulSet: Workload): RolloutStatus {
  requireRollingUpdate(statefulSet);
  const { spec, status = {} } = statefulSet;
  if (!status.observedGeneration || !isObserved(statefulSet))
    return waiting('Waiting for statefulset spec update to be observed');
  const wanted = spec?.replicas ?? 1;
  const { readyReplicas: ready = 0, updatedReplicas: updated = 0 } = status;
  if (ready < wanted) return waiting(`Waiting for ${wanted - ready} pods to be ready`);
  const partition = spec?.updateStrategy?.rollingUpdate?.partition;
  if (partition !== undefined) {
    if (updated < wanted - partition) {
      return waiting(
        `Waiting for partitioned roll out to finish: ${updated} out of ${wanted - partition} new pods have been updated`,
      );
    }
    return done(`partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  if (status.updateRevision !== status.currentRevision) {
    return waiting(
      `waiting for statefulset rolling update to complete ${updated} pods at revision ${status.updateRevision ?? ''}`,
    );
  }
  return done(
    `statefulset rolling update complete ${status.replicas ?? 0} pods at revision ${status.currentRevision ?? ''}...`,
  );
}
