/** The resource claims of a pod by name, and which of their requests each container uses. */
import { resourceClaimName, type PodResourceClaim } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export interface PodClaim {
  readonly name: string;
  /** Whether it was created for this pod from a template. */
  readonly isGenerated: boolean;
}

export const hasClaims = ({ spec, status }: Pod): boolean =>
  (spec?.resourceClaims ?? []).length > 0 || !!status?.extendedResourceClaimStatus?.resourceClaimName;

/** Claims of templates that needed none are left out. @throws Error if the claim of a template is not created yet */
export function claimsOf(pod: Pod): readonly PodClaim[] {
  const named = (pod.spec?.resourceClaims ?? []).flatMap((claim) => known(pod, claim));
  const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  return extended ? [...named, { name: extended, isGenerated: false }] : named;
}

function known(pod: Pod, claim: PodResourceClaim): readonly PodClaim[] {
  const named = resourceClaimName(pod, claim);
  if (named.kind === 'missing')
    throw new Error(`pod claim ${claim.name}: resource claim for the template is not created yet`);
  return named.kind === 'named' ? [named] : [];
}

export interface UsedRequest {
  /** The name within the pod; absent for a claim of extended resources. */
  readonly podClaim?: string;
  /** The name of the ResourceClaim. */
  readonly claim: string;
  /** All of the claim's requests if empty. */
  readonly request: string;
}

export function requestsOf(pod: Pod, container: Container): readonly UsedRequest[] {
  const own = (container.resources?.claims ?? []).flatMap(({ name = '', request = '' }) => {
    const claims = (pod.spec?.resourceClaims ?? []).filter((claim) => claim.name === name);
    return claims
      .flatMap((claim) => known(pod, claim))
      .map((claim) => ({ podClaim: name, claim: claim.name, request }));
  });
  const { resourceClaimName, requestMappings = [] } = pod.status?.extendedResourceClaimStatus ?? {};
  const extended = (requestMappings ?? [])
    .filter(({ containerName }) => containerName === container.name)
    .map(({ requestName = '' }) => ({ claim: resourceClaimName ?? '', request: requestName }));
  return [...own, ...extended];
}
