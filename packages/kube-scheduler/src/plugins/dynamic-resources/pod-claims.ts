import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { PodInfo } from '../../cache/pod-info.ts';

/** The pod's claims, or why some are not available yet. */
export type PodClaims =
  | { readonly kind: 'found'; readonly claims: readonly ResourceClaim[] }
  | { readonly kind: 'obstacle'; readonly reason: string };

type PodClaim = NonNullable<NonNullable<Pod['spec']>['resourceClaims']>[number];

/** @param find returns a claim by namespace and name */
export function claimsOfPod(
  { pod, namespace }: PodInfo,
  find: (namespace: string, name: string) => ResourceClaim | undefined,
): PodClaims {
  const claims: ResourceClaim[] = [];
  for (const podClaim of pod.spec?.resourceClaims ?? []) {
    const named = claimNameOf(pod, podClaim);
    if (named === undefined) continue;
    if ('obstacle' in named) return obstacle(named.obstacle);
    const claim = find(namespace, named.name);
    if (claim === undefined) return obstacle(`resourceclaim.resource.k8s.io "${named.name}" not found`);
    if (claim.metadata?.deletionTimestamp) return obstacle(`resourceclaim "${named.name}" is being deleted`);
    if (named.isMade && !isOwnedBy(claim, pod)) {
      const podKey = `${namespace}/${pod.metadata?.name}`;
      return obstacle(
        `ResourceClaim ${namespace}/${named.name} was not created for Pod ${podKey} (Pod is not owner)`,
      );
    }
    claims.push(claim);
  }
  return { kind: 'found', claims };
}

/** Whether the pod refers to the claim, or got it from a template. */
export const usesClaim = ({ pod }: PodInfo, name: string): boolean =>
  (pod.spec?.resourceClaims ?? []).some((podClaim) => {
    const named = claimNameOf(pod, podClaim);
    return named !== undefined && 'name' in named && named.name === name;
  });

const obstacle = (reason: string): PodClaims => ({ kind: 'obstacle', reason });

/** Undefined for a claim that turned out to be unnecessary. */
function claimNameOf(
  pod: Pod,
  { name, resourceClaimName, resourceClaimTemplateName }: PodClaim,
): { readonly name: string; readonly isMade: boolean } | { readonly obstacle: string } | undefined {
  if (resourceClaimName) return { name: resourceClaimName, isMade: false };
  const key = `"${pod.metadata?.namespace}/${pod.metadata?.name}"`;
  if (!resourceClaimTemplateName) {
    return { obstacle: `pod ${key}, spec.resourceClaim "${name}": none of the supported fields are set` };
  }
  const status = pod.status?.resourceClaimStatuses?.find((one) => one.name === name);
  if (status === undefined) return { obstacle: `pod ${key}: ResourceClaim not created yet` };
  return status.resourceClaimName ? { name: status.resourceClaimName, isMade: true } : undefined;
}

const isOwnedBy = ({ metadata }: ResourceClaim, pod: Pod): boolean =>
  metadata?.ownerReferences?.some(({ controller, uid }) => controller && uid === pod.metadata?.uid) ?? false;

export const isReservedFor = ({ status }: ResourceClaim, uid: string): boolean =>
  status?.reservedFor?.some((consumer) => consumer.uid === uid) ?? false;
