/** Removes the identity leases of API servers that no longer exist. */
import type { Clock } from '@coxswain/apimachinery';
import type { Lease } from '@coxswain/api/coordination/v1/lease.ts';
import { leasesPath } from './identity-lease.ts';
import type { SystemObjects } from './system-objects.ts';

/** As upstream. */
export const collectEveryMs = 3_600_000;

const selector = 'labelSelector=apiserver.kubernetes.io%2Fidentity%3Dkube-apiserver';

export async function collectLeases(objects: SystemObjects, clock: Clock): Promise<void> {
  const found = await objects.get<{ readonly items?: readonly Lease[] }>(`${leasesPath}?${selector}`);
  for (const { metadata, spec } of found?.items ?? []) {
    const { renewTime = '', leaseDurationSeconds = 0 } = spec ?? {};
    const endMs = Date.parse(renewTime) + leaseDurationSeconds * 1000;
    if (endMs < clock.now()) await objects.remove(`${leasesPath}/${metadata!.name}`);
  }
}
