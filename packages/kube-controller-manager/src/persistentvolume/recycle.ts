/** Recycling wipes a volume with a pod. The policy is deprecated; the pods are not built here. */

import type { PersistentVolume } from '../objects.ts';
import type { BinderState } from './binder-state.ts';
import { isReleased } from './released.ts';

const reason = 'VolumeFailedRecycle';

export async function recycleVolume(state: BinderState, volume: PersistentVolume): Promise<void> {
  const live = await state.liveVolume(volume.metadata.name ?? '');
  if (live === undefined || !isReleased(state, live)) return;
  const { namespace = '', name = '' } = live.spec?.claimRef ?? {};
  const users = state.podsOf(namespace, name).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  if (users.length > 0 && state.claims.get(`${namespace}/${name}`) === undefined) {
    const message = `Volume is used by pods: ${users.sort().join()}`;
    return state.tellVolume(volume, 'Normal', reason, message);
  }
  const isKnown = live.spec?.hostPath || live.spec?.nfs;
  const message = isKnown
    ? 'Recycle failed: recycling is not implemented'
    : 'No recycler plugin found for the volume!';
  await state.failVolume(live, reason, message);
}
