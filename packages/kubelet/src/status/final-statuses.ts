import type { ContainerStatus } from '@coxswain/api/core/v1/container-status.ts';

/** The status of a container without a known end, in a pod that will not start any more containers. */
const unknownEnd = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
};

/** Once a pod has started its containers, those still waiting count as failed. */
export const finalStatuses = (
  statuses: readonly ContainerStatus[],
  initialized: boolean,
): ContainerStatus[] =>
  statuses.map((status) => {
    if (status.state?.terminated) return status;
    const last = status.lastState?.terminated;
    // It was waiting to be restarted, so its end is known.
    if (last && last.containerID === status.containerID) return { ...status, state: { terminated: last } };
    return initialized ? { ...status, state: unknownEnd } : status;
  });

/** Whether any container was created. */
export const wasMade = (statuses: readonly ContainerStatus[]): boolean =>
  statuses.some(({ state, lastState }) => !state?.waiting || lastState?.terminated);

/** Includes those init containers whose turn had come, at least the first. */
export function finalInitStatuses(statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const hasBegun = ({ state, lastState }: ContainerStatus) =>
    !state?.waiting || Boolean(lastState?.terminated);
  const last = Math.max(0, statuses.findLastIndex(hasBegun));
  return statuses.map((status, index) =>
    index <= last && !status.state?.terminated ? { ...status, state: unknownEnd } : status,
  );
}

/** Whether initialization was complete, so that the main containers could start. */
export function wasInitialized(
  inits: readonly ContainerStatus[],
  statuses: readonly ContainerStatus[],
): boolean {
  const lastInit = inits.at(-1);
  if (lastInit === undefined) return true;
  if (wasMade(statuses)) return true;
  return lastInit.state?.terminated?.exitCode === 0 || Boolean(lastInit.state?.running && lastInit.started);
}
