import { compareQuantities, selectorOfCached, parseQuantity } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { nodeSelectorMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { claimKey } from './assumed-volumes.ts';
import { storageClassNameOf } from './claims.ts';

/**
 * Returns the smallest available volume for the claim that is accessible from the node; a volume pre-bound to the claim
 * takes precedence, and if that is not accessible, there is none. `holderOf` returns the claim that a volume is about
 * to be bound to.
 */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  node: Node,
  holderOf: (volume: PersistentVolume) => string | undefined,
): PersistentVolume | undefined {
  let smallest: PersistentVolume | undefined;
  for (const volume of volumes) {
    const holder = holderOf(volume);
    const isHeld = holder !== undefined || Boolean(volume.spec?.claimRef);
    const isOwn = holder === undefined ? isPromisedTo(volume, claim) : holder === claimKey(claim);
    if ((isHeld && !isOwn) || !canServe(volume, claim)) continue;
    if (isOwn) return isReachable(volume, node) ? volume : undefined;
    if (volume.status?.phase !== 'Available' || !isWanted(volume, claim) || !isReachable(volume, node))
      continue;
    if (smallest === undefined || compareQuantities(sizeOf(volume), sizeOf(smallest)) < 0) smallest = volume;
  }
  return smallest;
}

export const isReachable = ({ spec }: PersistentVolume, node: Node): boolean => {
  const required = spec?.nodeAffinity?.required;
  return !required || nodeSelectorMatcher(required)(node);
};

/** Checks that apply even to a volume that is pre-bound to the claim. */
function canServe({ metadata, spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const wanted = claim.spec;
  if (metadata?.deletionTimestamp) return false;
  if ((wanted?.volumeMode ?? 'Filesystem') !== (spec?.volumeMode ?? 'Filesystem')) return false;
  if (storageClassNameOf(claim) !== (spec?.storageClassName ?? '')) return false;
  if ((wanted?.volumeAttributesClassName ?? '') !== (spec?.volumeAttributesClassName ?? '')) return false;
  const size = parseQuantity(wanted?.resources?.requests?.['storage'] ?? '0');
  return compareQuantities(parseQuantity(spec?.capacity?.['storage'] ?? '0'), size) >= 0;
}

function isWanted({ metadata, spec }: PersistentVolume, { spec: wanted }: PersistentVolumeClaim): boolean {
  if (wanted?.selector && !selectorOfCached(wanted.selector).matches(metadata?.labels)) return false;
  return (wanted?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode));
}

export const isPromisedTo = ({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean => {
  const promised = spec?.claimRef;
  return (
    promised !== undefined &&
    promised !== null &&
    promised.namespace === metadata?.namespace &&
    promised.name === metadata?.name &&
    (!promised.uid || promised.uid === metadata?.uid)
  );
};

const sizeOf = ({ spec }: PersistentVolume) => parseQuantity(spec?.capacity?.['storage'] ?? '0');
