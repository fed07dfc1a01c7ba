/** The resource claims of a pod: named by the user, or generated from a template and recorded in the pod's status. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod, ResourceClaim } from '../objects.ts';
import { isControlledBy } from '../owners.ts';
import { isFinished } from '../pods/pod-state.ts';

export type PodClaim = NonNullable<NonNullable<Pod['spec']>['resourceClaims']>[number];

/** The annotation with the name of the pod's claim for which a claim was generated. */
export const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';

export type ClaimName =
  | { readonly kind: 'named'; readonly name: string; readonly mustBeOwned: boolean }
  /** To be generated from the template. */
  | { readonly kind: 'missing' }
  /** The template requires no claim. */
  | { readonly kind: 'needless' };

export function claimNameOf(pod: Pod, claim: PodClaim): ClaimName {
  if (claim.resourceClaimName) return { kind: 'named', name: claim.resourceClaimName, mustBeOwned: false };
  const status = pod.status?.resourceClaimStatuses?.find(({ name }) => name === claim.name);
  if (status === undefined) return { kind: 'missing' };
  const name = status.resourceClaimName;
  return name ? { kind: 'named', name, mustBeOwned: true } : { kind: 'needless' };
}

export const resourceClaimIndex = 'resourceClaims';

/** `namespace/name` of each claim. */
export const podsByResourceClaim = (pod: Pod): readonly string[] => {
  const names = (pod.spec?.resourceClaims ?? []).map((claim) => claimNameOf(pod, claim));
  const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  return [
    ...names.flatMap((name) => (name.kind === 'named' ? [name.name] : [])),
    ...(extended ? [extended] : []),
  ].map((name) => `${pod.metadata.namespace}/${name}`);
};

export const templateIndex = 'resourceClaimTemplates';

export const podsByTemplate = ({ metadata, spec }: Pod): readonly string[] =>
  (spec?.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) =>
    name ? [`${metadata.namespace}/${name}`] : [],
  );

export const isMadeFor = (pod: Pod, claim: KubeObject): boolean =>
  claim.metadata.namespace === pod.metadata.namespace && isControlledBy(claim, pod);

export const isReservedFor = ({ metadata }: Pod, { status }: ResourceClaim): boolean =>
  status?.reservedFor?.some(({ uid }) => uid === metadata.uid) ?? false;

/** Whether the pod is not running and never will. */
export const isDone = (pod: Pod): boolean =>
  isFinished(pod) || (pod.metadata.deletionTimestamp !== undefined && !pod.spec?.nodeName);
