/**
 * When a pod's sandbox is lost, everything in it stops, and the pod starts again in another one: init containers too, since
 * what they have set up in its network is gone.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isUp, type ContainerRecord } from './container-record.ts';
import { isOver } from './plan.ts';

/** Returns false while a container is still running. */
export function resetForSandbox(pod: Pod, records: readonly ContainerRecord[]): boolean {
  if (records.some(isUp)) return false;
  const isDone = records.every((record) => record.role !== 'app' || isOver(pod, record));
  if (isDone || pod.spec?.restartPolicy === 'Never') return true;
  for (const record of records) {
    if (record.role === 'ephemeral') continue;
    record.anew = true;
    if (hasFailedToStart(record)) {
      record.retryAtMs = 0;
      record.backoffMs = 0;
      record.waiting = undefined;
    }
    if (record.role === 'app' || record.exit === undefined) continue;
    record.last = record.exit;
    record.exit = undefined;
    record.phase = 'waiting';
    record.waiting = undefined;
  }
  return true;
}

/** Perhaps because the sandbox was about to go. */
const hasFailedToStart = ({ phase, waiting, last }: ContainerRecord): boolean =>
  phase === 'waiting' && (waiting?.reason === 'CreateContainerError' || last?.reason === 'StartError');
