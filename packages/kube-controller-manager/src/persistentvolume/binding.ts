/** Computes claims and volumes as they are when bound or released. */

import { deepEqual, parseQuantity, compareQuantities } from '@coxswain/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '../objects.ts';
import {
  bindCompleted,
  boundByController,
  hasAnnotation,
  preResizeCapacity,
  withAnnotations,
  withoutAnnotation,
} from './annotations.ts';
import { isPromisedTo } from './volume-match.ts';

export type ClaimPhase = 'Pending' | 'Bound' | 'Lost';

/** Returns the volume bound to its claim; the same object if it already is. */
export function volumeBoundTo(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
  const known = volume.spec?.claimRef;
  const isNamed = known?.name === name && known.namespace === namespace && known.uid === uid;
  const bound = isNamed
    ? volume
    : {
        ...volume,
        spec: {
          ...volume.spec,
          claimRef: {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            name,
            namespace,
            uid,
            resourceVersion,
          },
        },
      };
  return isPromisedTo(volume, claim) || hasAnnotation(volume, boundByController)
    ? bound
    : withAnnotations(bound, { [boundByController]: 'yes' });
}

/** Returns the claim bound to its volume; the same object if it already is. */
export function claimBoundTo(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const volumeName = volume.metadata.name ?? '';
  const isNamed = claim.spec?.volumeName === volumeName;
  if (isNamed && hasAnnotation(claim, bindCompleted)) return claim;
  const annotations = { [bindCompleted]: claim.metadata.annotations?.[bindCompleted] ?? 'yes' };
  if (isNamed) return withAnnotations(claim, annotations);
  const by = claim.metadata.annotations?.[boundByController] ?? 'yes';
  return withAnnotations(
    { ...claim, spec: { ...claim.spec, volumeName } },
    { ...annotations, [boundByController]: by },
  );
}

/** Returns the volume without its claim; one that a user pre-bound to a claim remains pre-bound. */
export function volumeUnbound(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec ?? {};
  if (hasAnnotation(volume, boundByController))
    return withoutAnnotation({ ...volume, spec }, boundByController);
  const { uid: _uid, ...promised } = claimRef ?? {};
  return { ...volume, spec: { ...spec, claimRef: promised } };
}

/**
 * Returns the claim with the status of a phase; the same object if it already has it.
 * @throws Error for a volume without a capacity
 */
export function claimInPhase(
  claim: PersistentVolumeClaim,
  phase: ClaimPhase,
  volume: PersistentVolume | undefined,
): PersistentVolumeClaim {
  const before = claim.status ?? {};
  const status =
    volume === undefined
      ? {
          ...before,
          phase,
          accessModes: undefined,
          capacity: undefined,
          currentVolumeAttributesClassName: undefined,
        }
      : statusOnVolume(before, phase, volume);
  const withoutAbsent = Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== undefined && value !== null),
  ) as typeof before;
  const isSame = deepEqual(withoutAbsent, before);
  return isSame ? claim : { ...claim, status: withoutAbsent };
}

type ClaimStatus = NonNullable<PersistentVolumeClaim['status']>;

function statusOnVolume(before: ClaimStatus, phase: ClaimPhase, { metadata, spec }: PersistentVolume) {
  const status = { ...before, phase, accessModes: spec?.accessModes };
  if (before.phase === phase) return status;
  const capacity = spec?.capacity?.['storage'];
  if (capacity === undefined)
    throw new Error(`PersistentVolume "${metadata.name}" is without a storage capacity`);
  const known = before.capacity?.['storage'];
  const beforeResize = metadata.annotations?.[preResizeCapacity];
  const sizes =
    beforeResize !== undefined
      ? { ...before.capacity, storage: beforeResize }
      : known !== undefined && compareQuantities(parseQuantity(known), parseQuantity(capacity)) === 0
        ? before.capacity
        : spec?.capacity;
  const isNew = before.phase === 'Pending' && phase === 'Bound';
  return {
    ...status,
    capacity: sizes,
    ...(isNew ? { currentVolumeAttributesClassName: spec?.volumeAttributesClassName } : {}),
  };
}
