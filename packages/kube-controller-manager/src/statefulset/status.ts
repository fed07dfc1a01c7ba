/** Computes and writes the status of a StatefulSet. */

import { isStatusError } from '@coxswain/apimachinery';
import type { ControllerRevision, Pod, StatefulSet } from '../objects.ts';
import { isAvailable, isReady } from '../pods/pod-state.ts';
import { replicasOf } from './ordinals.ts';
import { type StatefulSetRun, type StatefulSetStatus, revisionLabel } from './stateful-set-run.ts';

export function statusOf(run: StatefulSetRun, pods: readonly Pod[]): StatefulSetStatus {
  const created = pods.filter((pod) => pod.status?.phase !== undefined);
  const ready = created.filter((pod) => pod.status?.phase === 'Running' && isReady(pod));
  const available = ready.filter((pod) =>
    isAvailable(pod, run.set.spec?.minReadySeconds ?? 0, run.options.nowMs),
  );
  const staying = created.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const of = ({ metadata }: ControllerRevision) =>
    staying.filter((pod) => revisionLabel(pod) === metadata.name).length;
  const status = {
    replicas: created.length,
    ready: ready.length,
    current: of(run.current) - run.deletedForUpdate,
    updated: of(run.update),
    currentRevision: run.current.metadata.name ?? '',
  };
  const wanted = replicasOf(run.set);
  const isComplete = [status.updated, status.ready, status.replicas].every((count) => count === wanted);
  if (isComplete && run.set.spec?.updateStrategy?.type === 'RollingUpdate') {
    status.current = status.updated;
    status.currentRevision = run.update.metadata.name ?? '';
  }
  return {
    ...(run.set.metadata.generation === undefined ? {} : { observedGeneration: run.set.metadata.generation }),
    replicas: status.replicas,
    ...(status.ready ? { readyReplicas: status.ready } : {}),
    ...(status.current ? { currentReplicas: status.current } : {}),
    ...(status.updated ? { updatedReplicas: status.updated } : {}),
    currentRevision: status.currentRevision,
    updateRevision: run.update.metadata.name ?? '',
    collisionCount: run.collisionCount,
    availableReplicas: available.length,
  };
}

export async function writeStatus(run: StatefulSetRun, status: StatefulSetStatus): Promise<void> {
  const before = run.set.status;
  const isSame =
    (status.observedGeneration ?? 0) <= (before?.observedGeneration ?? 0) &&
    comparedMembers.every((member) => (status[member] ?? 0) === (before?.[member] ?? 0));
  if (isSame) return;
  const { setClient, wrote } = run.options;
  const write = async (set: StatefulSet) =>
    wrote(await setClient.updateStatus({ ...set, status: { ...set.status, ...status } }));
  try {
    await write({ ...run.set, status: keptConditions(before) });
  } catch (error) {
    if (!isStatusError(error, 'Conflict')) throw error;
    const latest = await setClient.get(run.set.metadata.name ?? '');
    await write({ ...latest, status: keptConditions(latest.status) });
  }
}

const comparedMembers = [
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'currentReplicas',
  'updatedReplicas',
  'currentRevision',
  'updateRevision',
] as const;

const keptConditions = (status: StatefulSetStatus | undefined): StatefulSetStatus =>
  (status?.conditions === undefined ? {} : { conditions: status.conditions }) as StatefulSetStatus;
