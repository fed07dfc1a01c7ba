/** Reconciles one volume: available, bound, or released and reclaimed. */

import type { PersistentVolume, PersistentVolumeClaim } from '../objects.ts';
import { migratedDriver } from '../volumes/csi-migration.ts';
import { hasAnnotation, provisionedBy, volumeProvisionerKeys, withMigration } from './annotations.ts';
import type { BinderState } from './binder-state.ts';
import { reclaimVolume } from './reclaim.ts';
import { hasSameMode } from './volume-match.ts';

/** Keeps volumes of in-tree plugins until their data is deleted, as external drivers do with their own finalizer. */
const inTreeFinalizer = 'kubernetes.io/pv-controller';
const externalFinalizer = 'external-provisioner.volume.kubernetes.io/finalizer';

/** @param wakeClaim triggers a sync of the claim `namespace/name` */
export async function syncVolume(
  state: BinderState,
  known: PersistentVolume,
  wakeClaim: (key: string) => void,
): Promise<void> {
  const noted = withFinalizers(withMigration(known, volumeProvisionerKeys));
  const volume = noted === known ? known : await state.updateVolume(noted);
  const claimRef = volume.spec?.claimRef;
  if (!claimRef?.uid) return void (await state.setVolumePhase(volume, 'Available'));
  const claim = await holderOf(state, volume);
  if (claim === undefined) return release(state, volume);
  if (!claim.spec?.volumeName) {
    if (!hasSameMode(volume, claim)) return reportMismatch(state, volume, claim);
    return wakeClaim(`${claim.metadata.namespace}/${claim.metadata.name}`);
  }
  if (claim.spec.volumeName === volume.metadata.name)
    return void (await state.setVolumePhase(volume, 'Bound'));
  const isMade = hasAnnotation(volume, provisionedBy);
  if (isMade && volume.spec?.persistentVolumeReclaimPolicy === 'Delete') return release(state, volume);
  return state.unbind(volume);
}

/** Returns the claim bound to the volume, ignoring a later one with the same name. */
async function holderOf(
  state: BinderState,
  { spec, status }: PersistentVolume,
): Promise<PersistentVolumeClaim | undefined> {
  const { namespace = '', name = '', uid } = spec?.claimRef ?? {};
  const known = state.claims.get(`${namespace}/${name}`);
  const isOver = status?.phase === 'Released' || status?.phase === 'Failed';
  if (known === undefined && isOver) return undefined;
  const claim = known?.metadata.uid === uid ? known : await state.liveClaim(namespace, name);
  return claim?.metadata.uid === uid ? claim : undefined;
}

async function release(state: BinderState, volume: PersistentVolume): Promise<void> {
  const isOver = volume.status?.phase === 'Released' || volume.status?.phase === 'Failed';
  await reclaimVolume(state, isOver ? volume : await state.setVolumePhase(volume, 'Released'));
}

function reportMismatch(state: BinderState, volume: PersistentVolume, claim: PersistentVolumeClaim): void {
  const tail = 'due to incompatible volumeMode.';
  const toVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim.metadata.name}" ${tail}`;
  state.reportVolume(volume, 'Warning', 'VolumeMismatch', toVolume);
  const toClaim = `Cannot bind PersistentVolume "${volume.metadata.name}" to requested PersistentVolumeClaim ${tail}`;
  state.reportClaim(claim, 'Warning', 'VolumeMismatch', toClaim);
}

/** Returns the volume with the finalizers that its provisioner requires; the same object if it has them. */
function withFinalizers(volume: PersistentVolume): PersistentVolume {
  const provisioner = volume.metadata.annotations?.[provisionedBy];
  if (provisioner === undefined) return volume;
  const before = volume.metadata.finalizers ?? [];
  const after = finalizersFor(volume, provisioner, before);
  const isSame = after.length === before.length && after.every((finalizer, at) => finalizer === before[at]);
  return isSame ? volume : { ...volume, metadata: { ...volume.metadata, finalizers: after } };
}

function finalizersFor({ spec }: PersistentVolume, provisioner: string, before: string[]): string[] {
  const without = (gone: string) => before.filter((finalizer) => finalizer !== gone);
  if (migratedDriver(provisioner) !== undefined) return without(inTreeFinalizer);
  if (!provisioner.startsWith('kubernetes.io/')) return before;
  const isDeleted = spec?.persistentVolumeReclaimPolicy === 'Delete';
  const own = !isDeleted
    ? without(inTreeFinalizer)
    : before.includes(inTreeFinalizer)
      ? before
      : [...before, inTreeFinalizer];
  return own.filter((finalizer) => finalizer !== externalFinalizer);
}
