import { compareQuantities, labelSelectorFromSpec, parseQuantity } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { nodeSelectorMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { storageClassNameOf } from './claims.ts';

/** The smallest free volume for the claim that the node can reach; one promised to the claim goes first. */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  node: Node,
  isTaken: (volumeName: string) => boolean,
): PersistentVolume | undefined {
  let smallest: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (isTaken(volume.metadata?.name ?? '') || !isSuitable(claim, volume) || !isReachable(volume, node))
      continue;
    if (volume.spec?.claimRef) {
      if (isPromisedTo(volume, claim)) return volume;
      continue;
    }
    if (volume.status?.phase !== 'Available') continue;
    if (smallest === undefined || compareQuantities(sizeOf(volume), sizeOf(smallest)) < 0) smallest = volume;
  }
  return smallest;
}

export const isReachable = ({ spec }: PersistentVolume, node: Node): boolean => {
  const required = spec?.nodeAffinity?.required;
  return !required || nodeSelectorMatcher(required)(node);
};

function isSuitable(
  { spec: wanted, ...claim }: PersistentVolumeClaim,
  { metadata, spec }: PersistentVolume,
): boolean {
  if (metadata?.deletionTimestamp) return false;
  if ((wanted?.volumeMode ?? 'Filesystem') !== (spec?.volumeMode ?? 'Filesystem')) return false;
  if (storageClassNameOf({ ...claim, spec: wanted }) !== (spec?.storageClassName ?? '')) return false;
  if (wanted?.selector && !labelSelectorFromSpec(wanted.selector).matches(metadata?.labels)) return false;
  if (!(wanted?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode))) return false;
  const size = parseQuantity(wanted?.resources?.requests?.['storage'] ?? '0');
  return compareQuantities(parseQuantity(spec?.capacity?.['storage'] ?? '0'), size) >= 0;
}

const isPromisedTo = ({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean => {
  const promised = spec?.claimRef;
  return (
    promised?.namespace === metadata?.namespace &&
    promised?.name === metadata?.name &&
    (!promised?.uid || promised.uid === metadata?.uid)
  );
};

const sizeOf = ({ spec }: PersistentVolume) => parseQuantity(spec?.capacity?.['storage'] ?? '0');
