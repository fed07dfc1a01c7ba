import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isUp, type ContainerRecord, type Termination } from '../pod/container-record.ts';
import { restartingAllReason } from '../pod/restart-all.ts';
import { restartsAfterExit } from '../pod/restart-policy.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** @param isOver whether no container will be started any more, whatever the restart policy, which is irreversible */
export function podPhase(pod: Pod, records: readonly ContainerRecord[], isOver: boolean): PodPhase {
  const counting = records.filter(({ role }) => role !== 'ephemeral');
  const phase = presentPhase(pod, counting, isOver);
  return isOver && phase !== 'Succeeded' ? 'Failed' : phase;
}

function presentPhase(pod: Pod, records: readonly ContainerRecord[], isOver: boolean): PodPhase {
  const apps = records.filter(({ role }) => role === 'app');
  const initialized = apps.some((record) => hasRun(record) || record.phase === 'running');
  for (const record of records) {
    if (record.role === 'app') continue;
    const end = endOf(record);
    if (record.role === 'init') {
      if (end !== undefined && end.exitCode !== 0 && !goesOnAfter(pod, record, end)) return 'Failed';
      if (record.phase === 'running' || end === undefined) return 'Pending';
      // The failed run will be retried, or the pod is ending before it was initialized.
      if (end.exitCode !== 0 && !initialized) return 'Pending';
    } else if (!initialized && !(record.phase === 'running' && record.started) && end === undefined)
      return 'Pending';
  }
  if (apps.some((record) => !hasRun(record) && record.phase !== 'running')) return 'Pending';
  if (records.some((record) => record.phase === 'running' && record.role !== 'init')) return 'Running';
  return phaseOfEnded(pod, apps, isOver);
}

function phaseOfEnded(pod: Pod, apps: readonly ContainerRecord[], isOver: boolean): PodPhase {
  const ends = apps.map((record) => endOf(record)!);
  const allSucceeded = ends.every(({ exitCode }) => exitCode === 0);
  const goesOn = apps.some((record) => isUp(record) || goesOnAfter(pod, record, endOf(record)!));
  if (!isOver && goesOn) return 'Running';
  return allSucceeded ? 'Succeeded' : 'Failed';
}

const goesOnAfter = (pod: Pod, record: ContainerRecord, { exitCode, reason }: Termination): boolean =>
  reason === restartingAllReason || restartsAfterExit(pod, record, exitCode);

const endOf = ({ phase, exit, last }: ContainerRecord) => (phase === 'terminated' ? exit : (exit ?? last));

const hasRun = (record: ContainerRecord): boolean => endOf(record) !== undefined;

/** Whether the pod will never run again. */
export const hasEnded = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';
