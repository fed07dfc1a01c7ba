/**
 * The last step of a volume expansion: after the controller has enlarged the disk, the node enlarges its file system.
 */
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { parseQuantity, quantityValue } from '@coxswain/apimachinery';
import type { VolumeContext } from './volume-context.ts';

/** @throws VolumeFailure with the driver's error; the caller retries */
export async function expandIfGrown(
  { csi, sources, expanded }: Pick<VolumeContext, 'csi' | 'sources' | 'expanded'>,
  pod: Pod,
  claim: PersistentVolumeClaim,
  persistent: PersistentVolume,
): Promise<void> {
  const wanted = persistent.spec?.capacity?.['storage'];
  const known = claim.status?.capacity?.['storage'];
  if (wanted === undefined || known === undefined || bytesOf(wanted) <= bytesOf(known)) return;
  if (!(await csi?.expand(pod, persistent, bytesOf(wanted)))) return;
  await sources.claimGrown?.(claim, wanted);
  expanded?.(pod, persistent.metadata?.name ?? '');
}

/** Claim conditions about a resize, which are obsolete once it is complete. */
export const resizeConditions: ReadonlySet<string> = new Set([
  'Resizing',
  'FileSystemResizePending',
  'ControllerResizeError',
  'NodeResizeError',
]);

const bytesOf = (text: string): number => quantityValue(parseQuantity(text));
