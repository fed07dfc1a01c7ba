import { formatTime } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerState, ContainerStatus } from '@coxswain/api/core/v1/container-status.ts';
import { restartingAllReason } from '../pod/restart-all.ts';
import type { ContainerRecord, Termination } from '../pod/container-record.ts';

/** @param hasInit whether the pod has init containers that the others wait for */
export function containerStatus(
  record: ContainerRecord,
  runtimeName: string,
  hasInit: boolean,
  wholePod?: WholeResources,
): ContainerStatus {
  const { spec, image, id, last, restarts } = record;
  const isCreated = id !== undefined;
  const running = record.phase === 'running';
  const state = stateOf(record, runtimeName, hasInit);
  const { resources } = spec;
  return {
    name: spec.name,
    state,
    lastState: last === undefined ? {} : { terminated: terminated(last, runtimeName) },
    ready: isReady(record),
    restartCount: restarts,
    image: spec.image ?? '',
    imageID: isCreated ? (image?.ref ?? '') : '',
    ...(isCreated ? { containerID: `${runtimeName}://${id}` } : {}),
    // Ephemeral containers have no probes: they are never ready, and `started` is omitted.
    ...(record.role === 'ephemeral' ? {} : { started: running && record.started }),
    ...(isCreated && resources?.requests ? { allocatedResources: resources.requests } : {}),
    ...(isCreated
      ? { resources: running ? boundedBy(wholePod, (record.actuated ?? spec).resources) : (resources ?? {}) }
      : {}),
    ...(isCreated && record.user ? { user: record.user } : {}),
    ...(spec.volumeMounts === undefined ? {} : { volumeMounts: mountStatuses(record) }),
  } as ContainerStatus;
}

type WholeResources = NonNullable<Pod['spec']>['resources'];

/**
 * The limits of the pod also apply to its containers: they fill in limits and the CPU request that a container leaves
 * unspecified, if it specifies limits or requests at all.
 */
function boundedBy(wholePod: WholeResources, resources: Container['resources']): Container['resources'] {
  const { limits, requests } = resources ?? {};
  const { cpu, memory } = wholePod?.limits ?? {};
  const cpuOfAll = limits?.['cpu'] ?? cpu;
  return {
    ...resources,
    ...(limits && { limits: { ...(cpu && { cpu }), ...(memory && { memory }), ...limits } }),
    ...(requests && { requests: { ...(cpuOfAll && { cpu: cpuOfAll }), ...requests } }),
  };
}

/** An init container is ready when it has completed, an ephemeral one never. */
function isReady({ role, phase, exit, ready }: ContainerRecord): boolean {
  if (role === 'init') return phase === 'terminated' && exit?.exitCode === 0;
  return role !== 'ephemeral' && phase === 'running' && ready;
}

function stateOf(record: ContainerRecord, runtimeName: string, hasInit: boolean): ContainerState {
  if (record.waiting !== undefined) return { waiting: record.waiting };
  if (record.phase === 'running') return { running: { startedAt: formatTime(record.startedMs) } };
  if (record.exit !== undefined) return { terminated: terminated(record.exit, runtimeName) };
  return { waiting: { reason: hasInit ? 'PodInitializing' : 'ContainerCreating' } };
}

const terminated = (
  { exitCode, reason, message, startedMs, finishedMs, id }: Termination,
  runtimeName: string,
): NonNullable<ContainerState['terminated']> => ({
  exitCode,
  reason,
  ...(message === undefined ? {} : { message }),
  ...(reason === restartingAllReason
    ? // Times that nobody knows are told as null.
      ({ startedAt: null, finishedAt: null } as object)
    : {
        startedAt: formatTime(startedMs),
        finishedAt: formatTime(finishedMs),
        containerID: `${runtimeName}://${id}`,
      }),
});

const mountStatuses = ({ spec }: ContainerRecord) =>
  spec.volumeMounts!.map(({ name, mountPath, readOnly }) => ({
    name,
    mountPath,
    ...(readOnly ? { readOnly: true, recursiveReadOnly: 'Disabled' } : {}),
  }));
