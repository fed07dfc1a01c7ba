/** When a pod has no more use for its volumes. */

import type { Pod } from '../objects.ts';
import { isFinished } from '../pods/pod-state.ts';

type Statuses = readonly { readonly state?: { readonly running?: unknown } | undefined }[] | null | undefined;

/** Finished, or stopping with none of its containers running any more. */
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
