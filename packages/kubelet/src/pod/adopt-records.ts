import type { ContainerStateTerminated, ContainerStatus } from '@coxswain/api/core/v1/container-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KnownRun, Sandbox } from '../runtime.ts';
import { keepBackOff, resumeBackOff } from './back-off.ts';
import { restartsAfterExit } from './restart-policy.ts';
import type { ContainerRecord, Termination } from './container-record.ts';

/**
 * Fills records from the pod's status in the API, which an earlier run of the kubelet wrote. Returns the sandbox, or
 * undefined if the pod has none.
 */
export function adoptRecords(pod: Pod, records: readonly ContainerRecord[]): Sandbox | undefined {
  const { podIPs = [], podIP, ...status } = pod.status ?? {};
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const statuses = new Map(
    [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].map((one) => [
      one.name,
      one,
    ]),
  );
  for (const record of records) {
    const known = statuses.get(record.spec.name);
    if (known !== undefined) adopt(record, known);
  }
  const ips = podIPs.length > 0 ? podIPs.map(({ ip }) => ip) : podIP ? [podIP] : [];
  const hasRun = records.some(({ id }) => id !== undefined);
  return hasRun || ips.length > 0 ? { id: `adopted-${pod.metadata?.uid}`, ips } : undefined;
}

/**
 * Fills records from the runtime: the latest run of each container, and the one before. Returns running containers that
 * no longer match the pod.
 */
export function adoptRuns(
  pod: Pod,
  records: readonly ContainerRecord[],
  runs: readonly KnownRun[],
  backoffMsMax?: number,
): readonly ContainerRecord[] {
  return records.filter((record) => {
    const own = runs.filter(({ name }) => name === record.spec.name).sort((a, b) => b.restarts - a.restarts);
    const [newest, before] = own;
    if (newest === undefined) return false;
    record.id = newest.id;
    record.image = newest.image;
    record.restarts = newest.restarts;
    record.startedMs = newest.startedMs;
    record.user = newest.user;
    record.last = before && terminationOfRun(before);
    if (newest.exit === undefined) {
      record.phase = 'running';
      return !newest.isCurrent(record.spec);
    }
    record.phase = 'terminated';
    record.exit = terminationOfRun(newest);
    if (restartsAfterExit(pod, record, newest.exit.exitCode))
      resumeBackOff(record, newest.exit.finishedMs, backoffMsMax);
    return false;
  });
}

const terminationOfRun = ({ id, startedMs, exit }: KnownRun): Termination | undefined =>
  exit && { ...exit, id, startedMs };

function adopt(record: ContainerRecord, status: ContainerStatus): void {
  const id = bareId(status.containerID);
  if (id !== '') record.id = id;
  record.image = { ref: status.imageID ?? '', sizeBytes: 0, pulledInMs: 0 };
  record.restarts = status.restartCount ?? 0;
  record.last = terminationOf(status.lastState?.terminated);
  if (status.state?.running && id !== '') {
    record.phase = 'running';
    record.startedMs = Date.parse(status.state.running.startedAt ?? '');
    record.ready = status.ready ?? false;
    record.started = status.started ?? true;
    keepBackOff(record);
  } else if (status.state?.terminated) {
    record.phase = 'terminated';
    record.exit = terminationOf(status.state.terminated);
  } else if (status.state?.waiting && record.last !== undefined) {
    record.waiting = { reason: '', ...status.state.waiting };
    resumeBackOff(record, record.last.finishedMs);
  }
}

function terminationOf(state: ContainerStateTerminated | null | undefined): Termination | undefined {
  if (!state) return undefined;
  const { exitCode, reason = '', message, startedAt = '', finishedAt = '', containerID } = state;
  const times = { startedMs: Date.parse(startedAt) || 0, finishedMs: Date.parse(finishedAt) || 0 };
  return {
    exitCode,
    reason,
    ...times,
    id: bareId(containerID),
    ...(message === undefined ? {} : { message }),
  };
}

/** `containerd://abc` → `abc` */
const bareId = (text = ''): string => text.slice(text.indexOf('://') + (text.includes('://') ? 3 : 1));
