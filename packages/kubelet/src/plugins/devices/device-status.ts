/** Adds the devices of its containers to a pod's status. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { DeviceManager } from './device-manager.ts';

export function withDeviceHealth(
  devices: Pick<DeviceManager, 'concerns' | 'healthOf'>,
  pod: Pod,
  status: PodStatus,
): PodStatus {
  if (!devices.concerns(pod)) return status;
  const containerStatuses = (status.containerStatuses ?? []).map((each) => {
    const allocatedResourcesStatus = devices.healthOf(pod.metadata?.uid ?? '', each.name);
    return allocatedResourcesStatus.length === 0 ? each : { ...each, allocatedResourcesStatus };
  });
  return { ...status, containerStatuses } as PodStatus;
}
