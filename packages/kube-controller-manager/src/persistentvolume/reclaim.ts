/** Applies the reclaim policy of a volume whose claim is gone. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { PersistentVolume } from '../objects.ts';
import { migratedTo, provisionedBy } from './annotations.ts';
import type { BinderState } from './binder-state.ts';
import { recycleVolume } from './recycle.ts';
import { isReleased } from './released.ts';

/** The only directories that are deleted. As upstream, a match anywhere in the path is enough. */
const deletableDirectory = /\/tmp\/.+/;
const inTreeFinalizer = 'kubernetes.io/pv-controller';

export async function reclaimVolume(state: BinderState, volume: PersistentVolume): Promise<void> {
  if (volume.metadata.annotations?.[migratedTo]) return;
  switch (volume.spec?.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return;
    case 'Recycle':
      return recycleVolume(state, volume);
    case 'Delete':
      return deleteContent(state, volume);
    default:
      return state.failVolume(
        volume,
        'VolumeUnknownReclaimPolicy',
        'Volume has unrecognized PersistentVolumeReclaimPolicy',
      );
  }
}

async function deleteContent(state: BinderState, volume: PersistentVolume): Promise<void> {
  const deleter = deleterOf(volume);
  if (deleter === 'external') return;
  if (deleter !== 'host-path') return state.failVolume(volume, 'VolumeFailedDelete', deleter.obstacle);
  const live = await state.liveVolume(volume.metadata.name ?? '');
  if (live === undefined || !isReleased(state, live)) return;
  try {
    await deleteDirectory(state, volume.spec?.hostPath?.path ?? '');
  } catch (error) {
    return state.failVolume(volume, 'VolumeFailedDelete', messageOf(error));
  }
  const finalizers = live.metadata.finalizers ?? [];
  if (finalizers.includes(inTreeFinalizer)) {
    const left = finalizers.filter((finalizer) => finalizer !== inTreeFinalizer);
    await state.updateVolume({ ...live, metadata: { ...live.metadata, finalizers: left } });
  }
  await state.deleteVolume(live);
}

async function deleteDirectory({ context }: BinderState, path: string): Promise<void> {
  if (!deletableDirectory.test(path))
    throw new Error(`host_path deleter only supports /tmp/.+ but received provided ${path}`);
  if (context.settings.removeDirectory === undefined)
    throw new Error(`not implemented: directories of the machine are not deleted here: ${path}`);
  await context.settings.removeDirectory(path);
}

function deleterOf({
  metadata,
  spec,
}: PersistentVolume): 'external' | 'host-path' | { readonly obstacle: string } {
  const provisioner = metadata.annotations?.[provisionedBy];
  if (provisioner) {
    if (provisioner === 'kubernetes.io/host-path') return 'host-path';
    if (provisioner === 'kubernetes.io/nfs') return { obstacle: 'no deletable volume plugin matched' };
    return provisioner.startsWith('kubernetes.io/')
      ? { obstacle: `no volume plugin matched name: ${provisioner}` }
      : 'external';
  }
  if (spec?.csi) return 'external';
  if (spec?.hostPath) return 'host-path';
  const reason = spec?.nfs ? 'no deletable volume plugin matched' : 'no volume plugin matched';
  return { obstacle: `error getting deleter volume plugin for volume "${metadata.name}": ${reason}` };
}
