/** Defaults of volumes that depend on other values. */

import { imagePullPolicyOf } from '../pod/image-reference.ts';
import type { PersistentVolumeClaimSpec } from '../persistent-volume-claim-spec.ts';
import { roundUpToMilli } from '../resource-list.ts';
import type { Volume } from '../volume.ts';

export function defaultVolumes(volumes: readonly Volume[] | undefined): void {
  for (const volume of volumes ?? []) {
    if (!hasSource(volume)) volume.emptyDir = {};
    if (volume.image != null) volume.image.pullPolicy ||= imagePullPolicyOf(volume.image.reference ?? '');
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    if (claim != null) defaultClaimSpec(claim);
  }
}

export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): void {
  roundUpToMilli(spec.resources?.limits);
  roundUpToMilli(spec.resources?.requests);
}

/** Every member of a volume except its name is a source. */
function hasSource(volume: Volume): boolean {
  for (const member in volume) {
    if (member !== 'name' && volume[member as keyof Volume] != null) return true;
  }
  return false;
}
