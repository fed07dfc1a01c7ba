import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { Amounts } from './device-capacity.ts';

/** The devices in use, by `driver/pool/device`. */
export interface AllocatedDevices {
  /** Devices used by a single request. */
  readonly exclusive: ReadonlySet<string>;
  /** The capacity consumed of devices that several requests share. */
  readonly shared: ReadonlyMap<string, readonly Amounts[]>;
}

/** Administrative access consumes nothing. */
export function allocatedDevices(claims: Iterable<ResourceClaim>): AllocatedDevices {
  const exclusive = new Set<string>();
  const shared = new Map<string, Amounts[]>();
  for (const { status } of claims) {
    for (const result of status?.allocation?.devices?.results ?? []) {
      if (result.adminAccess) continue;
      const id = `${result.driver}/${result.pool}/${result.device}`;
      if (result.shareID == null) exclusive.add(id);
      else shared.set(id, [...(shared.get(id) ?? []), (result.consumedCapacity ?? {}) as Amounts]);
    }
  }
  return { exclusive, shared };
}
