/** The last step of making a volume larger: the controller has grown the disk, the node grows what is on it. */
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { parseQuantity, quantityValue } from '@coxswain/apimachinery';
import type { VolumeContext } from './volume-context.ts';

/** @throws VolumeFailure with what the driver said; it is tried again */
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

/** What of a claim's conditions tells of a change of size that is over now. */
export const resizeConditions: ReadonlySet<string> = new Set([
  'Resizing',
  'FileSystemResizePending',
  'ControllerResizeError',
  'NodeResizeError',
]);

const bytesOf = (text: string): number => quantityValue(parseQuantity(text));
