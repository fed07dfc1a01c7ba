import { resourceClaimName, type PodResourceClaim } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { PodInfo } from '../../cache/pod-info.ts';

/** The pod's claims, or why some are not available yet. */
export type PodClaims =
  | { readonly kind: 'found'; readonly claims: readonly ResourceClaim[] }
  | { readonly kind: 'obstacle'; readonly reason: string };

/** @param find returns a claim by namespace and name */
export function claimsOfPod(
  { pod, namespace }: PodInfo,
  find: (namespace: string, name: string) => ResourceClaim | undefined,
): PodClaims {
  const claims: ResourceClaim[] = [];
  for (const podClaim of pod.spec?.resourceClaims ?? []) {
    const named = resourceClaimName(pod, podClaim);
    if (named.kind === 'needless') continue;
    if (named.kind === 'missing') return obstacle(whyMissing(pod, podClaim));
    const claim = find(namespace, named.name);
    if (claim === undefined) return obstacle(`resourceclaim.resource.k8s.io "${named.name}" not found`);
    if (claim.metadata?.deletionTimestamp) return obstacle(`resourceclaim "${named.name}" is being deleted`);
    if (named.isGenerated && !isOwnedBy(claim, pod)) {
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
    const named = resourceClaimName(pod, podClaim);
    return named.kind === 'named' && named.name === name;
  });

const obstacle = (reason: string): PodClaims => ({ kind: 'obstacle', reason });

function whyMissing({ metadata }: Pod, { name, resourceClaimTemplateName }: PodResourceClaim): string {
  const key = `"${metadata?.namespace}/${metadata?.name}"`;
  return resourceClaimTemplateName
    ? `pod ${key}: ResourceClaim not created yet`
    : `pod ${key}, spec.resourceClaim "${name}": none of the supported fields are set`;
}

const isOwnedBy = ({ metadata }: ResourceClaim, pod: Pod): boolean =>
  metadata?.ownerReferences?.some(({ controller, uid }) => controller && uid === pod.metadata?.uid) ?? false;

export const isReservedFor = ({ status }: ResourceClaim, uid: string): boolean =>
  status?.reservedFor?.some((consumer) => consumer.uid === uid) ?? false;
