/** Drivers' status of devices is removed when the devices are deallocated. */
import { deviceKey } from '@coxswain/api/resource/claim-status-validation.ts';
import type { ResourceClaimStatus } from '@coxswain/api/resource/v1/index.ts';
import type { AnyObject } from '../any-object.ts';

export function dropDeallocatedDevices(claim: AnyObject, old: AnyObject): void {
  const status = claim.status as ResourceClaimStatus | undefined;
  if (status?.devices == null) return;
  const kept = allocatedIn(status);
  const before = allocatedIn(old.status as ResourceClaimStatus | undefined);
  const isFreed = (key: string) => before.has(key) && !kept.has(key);
  const devices = status.devices.filter((device) => !isFreed(deviceKey(device)));
  if (devices.length === 0) delete (status as { devices?: unknown }).devices;
  else status.devices = devices;
}

const allocatedIn = (status: ResourceClaimStatus | undefined): Set<string> =>
  new Set((status?.allocation?.devices?.results ?? []).map(deviceKey));
