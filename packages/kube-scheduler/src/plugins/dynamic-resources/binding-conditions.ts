/** Devices that require preparation: conditions that their driver must report before the pod may be bound. */
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { AllocatedDeviceStatus } from '@coxswain/api/resource/v1/resource-claim-status.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { ClaimAllocations } from './claim-allocations.ts';

/** The default for how long a pod waits; the plugin's arguments can change it. */
export const bindingTimeoutDefaultMs = 600_000;
/** Upstream's polling interval. */
const pollMs = 5_000;

export type Readiness =
  | { readonly kind: 'ready' | 'pending' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Derives a claim's readiness from the conditions of its devices. */
function readinessOf({ metadata, status }: ResourceClaim): Readiness {
  if (!status?.allocation) return { kind: 'pending' };
  for (const result of status.allocation.devices?.results ?? []) {
    const wanted = result.bindingConditions ?? [];
    if (wanted.length === 0) continue;
    const device = status.devices?.find(
      (one) => one.device === result.device && one.driver === result.driver && one.pool === result.pool,
    );
    if (device === undefined) return { kind: 'pending' };
    const failed = (result.bindingFailureConditions ?? [])
      .map((type) => trueCondition(device, type))
      .find((condition) => condition !== undefined);
    if (failed !== undefined) {
      const { reason, message } = failed;
      const text = `device binding failed: claim=${metadata?.name}, reason=${reason}, message=${JSON.stringify(message)}`;
      return { kind: 'failed', reason: text };
    }
    if (!wanted.every((type) => trueCondition(device, type))) return { kind: 'pending' };
  }
  return { kind: 'ready' };
}

const trueCondition = ({ conditions }: AllocatedDeviceStatus, type: string) =>
  conditions?.find((condition) => condition.type === type && condition.status === 'True');

const hasConditions = ({ status }: ResourceClaim): boolean =>
  (status?.allocation?.devices?.results ?? []).some(({ bindingConditions }) => bindingConditions?.length);

/** Whether its devices have exceeded their time. */
function isOverdue(claim: ResourceClaim, nowMs: number, timeoutMs: number): boolean {
  const allocated = claim.status?.allocation?.allocationTimestamp;
  return hasConditions(claim) && Boolean(allocated) && Date.parse(allocated!) + timeoutMs < nowMs;
}

/** Whether other devices should be tried, because these failed or are late. */
export function isGivenUp(claim: ResourceClaim, nowMs: number, timeoutMs: number): boolean {
  if (!claim.status?.allocation) return false;
  const { kind } = readinessOf(claim);
  return kind === 'failed' || (kind === 'pending' && isOverdue(claim, nowMs, timeoutMs));
}

/**
 * Resolves when all devices of the claims are ready.
 * @throws Error with upstream's message if one failed or timed out
 */
export async function untilBindable(
  claims: readonly ResourceClaim[],
  { pod, nodeName }: { readonly pod: PodInfo; readonly nodeName: string },
  cluster: Cluster,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (!claims.some(hasConditions)) return;
  cluster.api.event({
    about: pod.pod,
    type: 'Normal',
    reason: 'BindingConditionsPending',
    action: 'Scheduling',
    note: `waiting for binding conditions for device on node ${nodeName}`,
    schedulerName: pod.pod.spec?.schedulerName || 'default-scheduler',
  });
  const endMs = cluster.clock.monotonic() + timeoutMs;
  while (!areReady(claims, cluster, timeoutMs)) {
    if (cluster.clock.monotonic() >= endMs)
      throw new Error('device binding timeout: context deadline exceeded');
    await cluster.clock.sleep(pollMs, signal);
  }
}

function areReady(claims: readonly ResourceClaim[], cluster: Cluster, timeoutMs: number): boolean {
  const allocations = ClaimAllocations.of(cluster.objects);
  for (const { metadata } of claims) {
    const { namespace = '', name = '' } = metadata ?? {};
    const claim = allocations.get(namespace, name);
    if (claim === undefined) throw new Error(`resourceclaim "${name}" not found`);
    const readiness = readinessOf(claim);
    if (readiness.kind === 'failed') throw new Error(readiness.reason);
    if (readiness.kind === 'ready') continue;
    if (isOverdue(claim, cluster.clock.now(), timeoutMs))
      throw new Error(`device binding timeout: claim=${name}`);
    return false;
  }
  return true;
}
