/** Determines when a pod no longer uses its volumes. */

import type { Pod } from '../objects.ts';
import { isFinished } from '../pods/pod-state.ts';

type Statuses = readonly { readonly state?: { readonly running?: unknown } | undefined }[] | null | undefined;

/** Whether it has finished, or is terminating without any running containers. */
export function isOver(pod: Pod): boolean {
  if (isFinished(pod)) return true;
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
  return (
    pod.metadata.deletionTimestamp !== undefined &&
    [initContainerStatuses, containerStatuses, ephemeralContainerStatuses].every(isQuiet)
  );
}

const isQuiet = (statuses: Statuses): boolean =>
  (statuses ?? []).every(({ state }) => {
    const { terminated, waiting } = (state ?? {}) as { terminated?: unknown; waiting?: unknown };
    return Boolean(terminated ?? waiting);
  });
