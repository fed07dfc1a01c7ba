/** Selects a volume for a claim. */

import {
  compareQuantities,
  selectorOfCached,
  parseQuantity,
  quantityValue,
  type Quantity,
} from '@coxswain/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '../objects.ts';
import { storageClassNameOf } from '../volumes/storage-class-of.ts';

/**
 * Returns the smallest available volume with all access modes of the claim, preferring those with the fewest modes; a
 * volume that is pre-bound to the claim takes precedence.
 * @param delayed for a claim with delayed binding, only a pre-bound volume is eligible
 */
export function volumeForClaim(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  delayed: boolean,
): PersistentVolume | undefined {
  const wanted = claim.spec?.accessModes ?? [];
  const byModes = Map.groupBy(volumes, (volume) => modesText(volume));
  const groups = [...byModes.values()]
    .filter(([first]) => wanted.every((mode) => first?.spec?.accessModes?.includes(mode)))
    .sort(([a], [b]) => modesOf(a!).length - modesOf(b!).length);
  for (const group of groups) {
    const found = bestOf(claim, group, delayed);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns why a claim can't use the volume that it names; undefined if it can. */
export function mismatchOf(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const { metadata } = volume;
  if (metadata.deletionTimestamp !== undefined) return `the volume is marked for deletion "${metadata.name}"`;
  if (quantityValue(capacityOf(volume)) < quantityValue(requestOf(claim))) return 'requested PV is too small';
  if (storageClassNameOf(volume) !== storageClassNameOf(claim)) return 'storageClassName does not match';
  if (attributesClassOf(volume) !== attributesClassOf(claim))
    return 'volumeAttributesClassName does not match';
  if (!hasSameMode(volume, claim)) return 'incompatible volumeMode';
  const modes = claim.spec?.accessModes ?? [];
  return modes.every((mode) => volume.spec?.accessModes?.includes(mode))
    ? undefined
    : 'incompatible accessMode';
}

/** Whether the volume is bound to the claim, or reserved for a claim with this name. */
export function isPromisedTo({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const promised = spec?.claimRef;
  if (!promised) return false;
  if (promised.name !== metadata.name || promised.namespace !== metadata.namespace) return false;
  return !promised.uid || promised.uid === metadata.uid;
}

export const hasSameMode = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  (volume.spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem');

function bestOf(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  delayed: boolean,
): PersistentVolume | undefined {
  const request = requestOf(claim);
  const selector = claim.spec?.selector ? selectorOfCached(claim.spec.selector) : undefined;
  let smallest: PersistentVolume | undefined;
  for (const volume of volumes) {
    const { metadata, spec, status } = volume;
    const isPromised = isPromisedTo(volume, claim);
    if (spec?.claimRef && !isPromised) continue;
    if (compareQuantities(capacityOf(volume), request) < 0 || !hasSameMode(volume, claim)) continue;
    if (attributesClassOf(volume) !== attributesClassOf(claim)) continue;
    if (metadata.deletionTimestamp !== undefined) continue;
    if (isPromised) return volume;
    if (delayed || !isFree(status?.phase)) continue;
    if (selector !== undefined && !selector.matches(metadata.labels)) continue;
    if (storageClassNameOf(volume) !== storageClassNameOf(claim)) continue;
    if (smallest === undefined || compareQuantities(capacityOf(volume), capacityOf(smallest)) < 0)
      smallest = volume;
  }
  return smallest;
}

/** Includes a volume that was just created: otherwise a claim created with it would request another one. */
const isFree = (phase: string | undefined): boolean =>
  phase === undefined || phase === 'Pending' || phase === 'Available';

const modeOrder = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'] as const;

const modesOf = ({ spec }: PersistentVolume) => modeOrder.filter((mode) => spec?.accessModes?.includes(mode));
const modesText = (volume: PersistentVolume): string => modesOf(volume).join();

const capacityOf = ({ spec }: PersistentVolume): Quantity =>
  parseQuantity(spec?.capacity?.['storage'] ?? '0');
const requestOf = ({ spec }: PersistentVolumeClaim): Quantity =>
  parseQuantity(spec?.resources?.requests?.['storage'] ?? '0');
const attributesClassOf = ({ spec }: PersistentVolume | PersistentVolumeClaim): string =>
  spec?.volumeAttributesClassName ?? '';
