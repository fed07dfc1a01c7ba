import type { ContainerStatus } from '@coxswain/api/core/v1/container-status.ts';

/** What is said of a container that never ended by itself, in a pod of which nothing will be started any more. */
const unknownEnd = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
};

/** Once a pod had come so far as to start its containers, those that wait count as failed. */
export const finalStatuses = (
  statuses: readonly ContainerStatus[],
  initialized: boolean,
): ContainerStatus[] =>
  statuses.map((status) => {
    if (status.state?.terminated) return status;
    const last = status.lastState?.terminated;
    // It waited to be started again: its end is known.
    if (last && last.containerID === status.containerID) return { ...status, state: { terminated: last } };
    return initialized ? { ...status, state: unknownEnd } : status;
  });

/** Whether any container has come so far as to be made. */
export const wasMade = (statuses: readonly ContainerStatus[]): boolean =>
  statuses.some(({ state, lastState }) => !state?.waiting || lastState?.terminated);

/** Of the init containers those whose turn has come, at least the first. */
export function finalInitStatuses(statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const hasBegun = ({ state, lastState }: ContainerStatus) =>
    !state?.waiting || Boolean(lastState?.terminated);
  const last = Math.max(0, statuses.findLastIndex(hasBegun));
  return statuses.map((status, index) =>
    index <= last && !status.state?.terminated ? { ...status, state: unknownEnd } : status,
  );
}

/** Whether the time of the containers after the init containers had come. */
export function wasInitialized(
  inits: readonly ContainerStatus[],
  statuses: readonly ContainerStatus[],
): boolean {
  const lastInit = inits.at(-1);
  if (lastInit === undefined) return true;
  if (wasMade(statuses)) return true;
  return lastInit.state?.terminated?.exitCode === 0 || Boolean(lastInit.state?.running && lastInit.started);
}
