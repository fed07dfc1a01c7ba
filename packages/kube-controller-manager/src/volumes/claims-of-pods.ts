/** The claims that a pod uses: by name, or generated for one of its ephemeral volumes. */

import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { PersistentVolumeClaim, Pod } from '../objects.ts';
import { isControlledBy } from '../owners.ts';

export const claimIndex = 'claims';

/** `namespace/name` of each claim. */
export const podsByClaim = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? [])
    .map((volume) => claimNameOf(pod, volume))
    .filter((name) => name !== undefined)
    .map((name) => `${pod.metadata.namespace}/${name}`);

export function claimNameOf(pod: Pod, volume: Volume): string | undefined {
  if (volume.persistentVolumeClaim) return volume.persistentVolumeClaim.claimName;
  return volume.ephemeral ? ephemeralClaimName(pod, volume) : undefined;
}

export const ephemeralClaimName = ({ metadata }: Pod, { name }: Volume): string => `${metadata.name}-${name}`;

/** @throws Error if the claim has the name for the pod's ephemeral volume but was not created for it */
export function checkMadeForPod(pod: Pod, claim: PersistentVolumeClaim): void {
  if (isMadeForPod(pod, claim)) return;
  const keyOf = ({ metadata }: Pod | PersistentVolumeClaim) => `${metadata.namespace}/${metadata.name}`;
  throw new Error(`PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`);
}

export const isMadeForPod = (pod: Pod, claim: PersistentVolumeClaim): boolean =>
  claim.metadata.namespace === pod.metadata.namespace && isControlledBy(claim, pod);
