/** Adds the devices of containers, with their health, to a pod's status (KEP-4680). */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';

/** As in `allocatedResourcesStatus` of a container status. */
export interface ResourceHealth {
  /** A resource of device plugins, or `claim:NAME/REQUEST`. */
  readonly name: string;
  readonly resources: readonly {
    readonly resourceID: string;
    readonly health: string;
    readonly message?: string;
  }[];
}

/** @param resourcesOf of a container, from each kind of plugins */
export function withAllocatedResources(
  pod: Pod,
  status: PodStatus,
  resourcesOf: (container: Container) => readonly ResourceHealth[],
): PodStatus {
  const found = new Map(
    (pod.spec?.containers ?? []).flatMap((container) => {
      const resources = resourcesOf(container);
      return resources.length === 0 ? [] : [[container.name, resources] as const];
    }),
  );
  if (found.size === 0) return status;
  const containerStatuses = (status.containerStatuses ?? []).map((each) => {
    const allocatedResourcesStatus = found.get(each.name);
    return allocatedResourcesStatus === undefined ? each : { ...each, allocatedResourcesStatus };
  });
  return { ...status, containerStatuses } as PodStatus;
}
