import { isStatusError } from '@coxswain/apimachinery';
import type { AllocationResult } from '@coxswain/api/resource/v1/allocation-result.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { bindClaim, conflictsMax, finalizer, named } from './bind-claim.ts';
import { ClaimAllocations } from './claim-allocations.ts';
import { isUnwritten, type ExtendedClaim, type NodeClaim } from './extended-claim.ts';

/** The polling interval and timeout, as upstream, for the written claim to appear in the cache. */
const seenPollMs = 1_000;
const seenTimeoutMs = 120_000;

/**
 * Writes the claim with its allocation, and refers to it in the pod's status.
 * @throws Error if that is refused; `extended` records what has been written so far
 */
export async function bindExtendedClaim(
  extended: ExtendedClaim,
  nodeClaim: NodeClaim | undefined,
  allocation: AllocationResult | undefined,
  pod: PodInfo,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<ResourceClaim> {
  const allocations = ClaimAllocations.of(cluster.objects);
  try {
    let claim = extended.claim;
    if (isUnwritten(claim)) claim = extended.written = await create(nodeClaim, pod, cluster);
    claim = extended.written = await bindClaim(claim, allocation, pod, cluster);
    await reportPod(claim, nodeClaim, pod, cluster);
    allocations.written(claim);
    await untilSeen(claim, cluster, signal);
    return claim;
  } finally {
    allocations.drop(extended.claim);
  }
}

/** Deallocates the claim, then deletes it. */
export async function deleteExtendedClaim(claim: ResourceClaim, { api }: Cluster): Promise<void> {
  const { namespace = '', name = '' } = claim.metadata ?? {};
  let current = claim;
  for (let conflicts = 0; ; conflicts++) {
    const finalizers = (current.metadata?.finalizers ?? []).filter((one) => one !== finalizer);
    try {
      await api.updateResourceClaim({ ...current, metadata: { ...current.metadata, finalizers } });
      break;
    } catch (error) {
      if (!isStatusError(error, 'Conflict') || conflicts >= conflictsMax) throw error;
      current = await api.resourceClaim(namespace, name);
    }
  }
  await api.deleteResourceClaim(namespace, name);
}

async function create(
  nodeClaim: NodeClaim | undefined,
  pod: PodInfo,
  { api }: Cluster,
): Promise<ResourceClaim> {
  if (nodeClaim === undefined) throw new Error('extended resource claim not found for node');
  const { name: _name, uid: _uid, ...metadata } = nodeClaim.claim.metadata ?? {};
  return named(
    `create claim for extended resources ${pod.namespace}/`,
    api.createResourceClaim({ ...nodeClaim.claim, metadata, status: {} }),
  );
}

async function reportPod(
  claim: ResourceClaim,
  nodeClaim: NodeClaim | undefined,
  pod: PodInfo,
  { api }: Cluster,
): Promise<void> {
  const what = `update of pod ${pod.namespace}/${pod.name} ExtendedResourceClaimStatus`;
  const requestMappings = [...(nodeClaim?.mappings ?? [])];
  if (requestMappings.length === 0) throw new Error(`nil or empty request mappings, no ${what}`);
  const extendedResourceClaimStatus = { requestMappings, resourceClaimName: claim.metadata?.name ?? '' };
  await named(what.replace(' of', ''), api.patchPodStatus(pod.pod, { extendedResourceClaimStatus }));
}

/** Until the claim is in the cache, its devices would look free; a timeout is ignored, since the claim was written. */
async function untilSeen({ metadata }: ResourceClaim, cluster: Cluster, signal: AbortSignal): Promise<void> {
  const { namespace = '', name = '' } = metadata ?? {};
  const endMs = cluster.clock.monotonic() + seenTimeoutMs;
  while (cluster.objects.resourceClaim(namespace, name) === undefined) {
    if (cluster.clock.monotonic() >= endMs) return;
    await cluster.clock.sleep(seenPollMs, signal);
  }
}
