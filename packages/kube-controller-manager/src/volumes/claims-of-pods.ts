/** The claims that a pod uses: by name, or generated for one of its ephemeral volumes. */

import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { PersistentVolumeClaim, Pod } from '../objects.ts';
import { isControlledBy } from '../owners.ts';

export const claimIndex = 'claims';

/** `namespace/name` of each claim. */
export const podsByClaim = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? [])
    .map((volume) => volumeClaimName(pod, volume))
    .filter((name) => name !== undefined)
    .map((name) => `${pod.metadata.namespace}/${name}`);

/** @throws Error if the claim has the name for the pod's ephemeral volume but was not created for it */
export function checkMadeForPod(pod: Pod, claim: PersistentVolumeClaim): void {
  if (isMadeForPod(pod, claim)) return;
  const keyOf = ({ metadata }: Pod | PersistentVolumeClaim) => `${metadata.namespace}/${metadata.name}`;
  throw new Error(`PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`);
}

export const isMadeForPod = (pod: Pod, claim: PersistentVolumeClaim): boolean =>
  claim.metadata.namespace === pod.metadata.namespace && isControlledBy(claim, pod);
