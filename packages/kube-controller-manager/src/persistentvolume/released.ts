import type { PersistentVolume } from '../objects.ts';
import type { BinderState } from './binder-state.ts';

/** Whether the claim that the volume was bound to is gone, or is bound to another volume. */
export function isReleased(state: BinderState, { metadata, spec }: PersistentVolume): boolean {
  const { namespace, name, uid } = spec?.claimRef ?? {};
  if (!uid) return false;
  const claim = state.claims.get(`${namespace}/${name}`);
  if (claim?.metadata.uid !== uid) return true;
  return Boolean(claim.spec?.volumeName) && claim.spec?.volumeName !== metadata.name;
}
