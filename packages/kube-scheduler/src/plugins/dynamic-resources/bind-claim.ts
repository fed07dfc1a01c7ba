import { formatTime, isStatusError } from '@coxswain/apimachinery';
import type { AllocationResult } from '@coxswain/api/resource/v1/allocation-result.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';

/** Marks that the cluster made the allocation and must deallocate it. */
export const finalizer = 'resource.kubernetes.io/delete-protection';
export const conflictsMax = 5;

/**
 * Writes the allocation, unless the claim has one, and reserves the claim for the pod.
 * @throws Error if there was a conflicting write, or the claim is being deleted
 */
export async function bindClaim(
  claim: ResourceClaim,
  allocation: AllocationResult | undefined,
  pod: PodInfo,
  cluster: Cluster,
): Promise<ResourceClaim> {
  let current = claim;
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await writeBinding(current, allocation, pod, cluster);
    } catch (error) {
      if (!isStatusError((error as Error).cause, 'Conflict') || conflicts >= conflictsMax) throw error;
      const { namespace = '', name = '' } = claim.metadata ?? {};
      current = await cluster.api.resourceClaim(namespace, name);
    }
  }
}

async function writeBinding(
  claim: ResourceClaim,
  allocation: AllocationResult | undefined,
  pod: PodInfo,
  { api, clock }: Cluster,
): Promise<ResourceClaim> {
  const key = `${claim.metadata?.namespace}/${claim.metadata?.name}`;
  if (claim.metadata?.deletionTimestamp) throw new Error(`claim ${key} got deleted in the meantime`);
  if (allocation !== undefined && claim.status?.allocation)
    throw new Error(`claim ${key} got allocated elsewhere in the meantime`);
  const guarded = allocation === undefined ? claim : await guard(claim, key, api);
  const given = allocation ?? claim.status?.allocation;
  if (!given) throw new Error(`claim ${key} got deallocated elsewhere in the meantime`);
  const consumer = { resource: 'pods', name: pod.name, uid: pod.uid };
  const status = {
    ...guarded.status,
    allocation: { ...given, allocationTimestamp: given.allocationTimestamp ?? formatTime(clock.now()) },
    reservedFor: [...(guarded.status?.reservedFor ?? []), consumer],
  };
  const what = allocation === undefined ? 'add reservation' : 'add allocation and reservation';
  return named(`${what} to claim ${key}`, api.updateResourceClaimStatus({ ...guarded, status }));
}

async function guard(claim: ResourceClaim, key: string, api: Cluster['api']): Promise<ResourceClaim> {
  const finalizers = claim.metadata?.finalizers ?? [];
  if (finalizers.includes(finalizer)) return claim;
  const metadata = { ...claim.metadata, finalizers: [...finalizers, finalizer] };
  return named(`add finalizer to claim ${key}`, api.updateResourceClaim({ ...claim, metadata }));
}

/** @throws Error describing the operation, with the cause */
export async function named<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
  }
}
