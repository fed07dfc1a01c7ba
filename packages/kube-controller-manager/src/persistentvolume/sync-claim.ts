/** Reconciles one claim: finds a volume, requests one, or completes a binding. */

import type { PersistentVolume, PersistentVolumeClaim } from '../objects.ts';
import { defaultStorageClass, hasStorageClass, storageClassNameOf } from '../volumes/storage-class-of.ts';
import {
  bindCompleted,
  boundByController,
  claimProvisionerKeys,
  hasAnnotation,
  selectedNode,
  withMigration,
} from './annotations.ts';
import type { BinderState } from './binder-state.ts';
import { provisionClaim } from './provision.ts';
import { isPromisedTo, mismatchOf, volumeForClaim } from './volume-match.ts';

export async function syncClaim(state: BinderState, known: PersistentVolumeClaim): Promise<void> {
  const migrated = withMigration(known, claimProvisionerKeys);
  const claim = migrated === known ? known : await state.updateClaim(migrated);
  if (hasAnnotation(claim, bindCompleted)) return syncBoundClaim(state, claim);
  return claim.spec?.volumeName
    ? syncClaimWithWish(state, claim, claim.spec.volumeName)
    : syncFreeClaim(state, claim);
}

async function syncFreeClaim(state: BinderState, claim: PersistentVolumeClaim): Promise<void> {
  const delayed = waitsForPod(state, claim);
  const volume = volumeForClaim(claim, state.volumes.list(), delayed);
  state.context.observer?.note?.({
    volume: volume?.metadata.name ?? 'none matches',
    volumeBindingMode: delayed ? 'WaitForFirstConsumer' : 'Immediate',
  });
  if (volume !== undefined) return state.bind(volume, claim);
  if (await assignDefaultClass(state, claim)) return;
  if (delayed && !hasAnnotation(claim, selectedNode)) reportWhatIsAwaited(state, claim);
  else if (storageClassNameOf(claim) !== '') return provisionClaim(state, claim);
  else {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    state.reportClaim(claim, 'Normal', 'FailedBinding', message);
  }
  await state.setClaimPhase(claim, 'Pending');
}

const waitsForPod = ({ listers }: BinderState, claim: PersistentVolumeClaim): boolean =>
  listers.classes.get(storageClassNameOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';

/** Claims created before there was a default class get it now. */
async function assignDefaultClass(state: BinderState, claim: PersistentVolumeClaim): Promise<boolean> {
  if (hasStorageClass(claim)) return false;
  const name = defaultStorageClass(state.listers.classes.list())?.metadata.name;
  if (name === undefined) return false;
  await state.updateClaim({ ...claim, spec: { ...claim.spec, storageClassName: name } });
  return true;
}

function reportWhatIsAwaited(state: BinderState, claim: PersistentVolumeClaim): void {
  const { namespace = '', name = '' } = claim.metadata;
  const waiting = state.podsOf(namespace, name).filter(({ spec }) => !spec?.nodeName);
  const names = waiting.map(({ metadata }) => metadata.name).join();
  if (names === '') {
    const message = 'waiting for first consumer to be created before binding';
    return state.reportClaim(claim, 'Normal', 'WaitForFirstConsumer', message);
  }
  const pods = waiting.length === 1 ? `pod ${names}` : `pods ${names}`;
  state.reportClaim(claim, 'Normal', 'WaitForPodScheduled', `waiting for ${pods} to be scheduled`);
}

/** Handles a claim that names its volume, set by its user or by an unfinished binding. */
async function syncClaimWithWish(
  state: BinderState,
  claim: PersistentVolumeClaim,
  volumeName: string,
): Promise<void> {
  const volume = state.volumes.get(volumeName);
  if (volume === undefined) return void (await state.setClaimPhase(claim, 'Pending'));
  if (volume.spec?.claimRef) {
    return isPromisedTo(volume, claim) ? state.bind(volume, claim) : refuse(state, claim, volume);
  }
  const mismatch = mismatchOf(volume, claim);
  if (mismatch === undefined) return state.bind(volume, claim);
  const message = `Cannot bind to requested volume "${volumeName}": ${mismatch}`;
  state.reportClaim(claim, 'Warning', 'VolumeMismatch', message);
  await state.setClaimPhase(claim, 'Pending');
}

async function refuse(
  state: BinderState,
  claim: PersistentVolumeClaim,
  { metadata, spec }: PersistentVolume,
): Promise<void> {
  const message = `volume "${metadata.name}" already bound to a different claim.`;
  state.reportClaim(claim, 'Warning', 'FailedBinding', message);
  if (!hasAnnotation(claim, boundByController)) return void (await state.setClaimPhase(claim, 'Pending'));
  const { namespace, name } = claim.metadata;
  const holder = `${spec?.claimRef?.namespace}/${spec?.claimRef?.name}`;
  throw new Error(
    `invalid binding of claim "${namespace}/${name}" to volume "${metadata.name}": volume already claimed by "${holder}"`,
  );
}

async function syncBoundClaim(state: BinderState, claim: PersistentVolumeClaim): Promise<void> {
  const volumeName = claim.spec?.volumeName;
  if (!volumeName) {
    const message = 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!';
    return state.loseClaim(claim, 'ClaimLost', message);
  }
  const volume = state.volumes.get(volumeName);
  if (volume === undefined) {
    const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
    return state.loseClaim(claim, 'ClaimLost', message);
  }
  const holder = volume.spec?.claimRef;
  if (!holder || (holder.uid ?? '') === claim.metadata.uid) return state.bind(volume, claim);
  const message = 'Two claims are bound to the same volume, this one is bound incorrectly';
  return state.loseClaim(claim, 'ClaimMisbound', message);
}
