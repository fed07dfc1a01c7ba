/** Pods by their resource claims and templates, and whether a claim is theirs. */

import { resourceClaimNames } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod, ResourceClaim } from '../objects.ts';
import { isControlledBy } from '../owners.ts';
import { isFinished } from '../pods/pod-state.ts';

/** The annotation with the name of the pod's claim for which a claim was generated. */
export const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';

export const resourceClaimIndex = 'resourceClaims';

/** `namespace/name` of each claim. */
export const podsByResourceClaim = (pod: Pod): readonly string[] =>
  resourceClaimNames(pod).map((name) => `${pod.metadata.namespace}/${name}`);

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
