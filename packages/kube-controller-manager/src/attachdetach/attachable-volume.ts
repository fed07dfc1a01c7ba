/** Volumes of drivers that have to be attached to a node before the node can mount them. */

import type {
  CsiDriver,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  VolumeAttachment,
} from '../objects.ts';
import type { Lister } from '@coxswain/client';
import { claimNameOf, isMadeForPod } from '../volumes/claims-of-pods.ts';

export interface AttachableVolume {
  /** As nodes report it: `kubernetes.io/csi/DRIVER^HANDLE`. */
  readonly name: string;
  readonly volumeName: string;
  readonly driver: string;
  readonly handle: string;
  /** Whether several nodes may have it. */
  readonly shared: boolean;
}

export interface VolumeListers {
  readonly claims: Lister<PersistentVolumeClaim>;
  readonly volumes: Lister<PersistentVolume>;
  readonly drivers: Lister<CsiDriver>;
}

/** The volumes of a pod that are bound and need attaching. */
export function attachableVolumes(pod: Pod, listers: VolumeListers): AttachableVolume[] {
  const found: AttachableVolume[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const claim = listers.claims.get(claimNameOf(pod, volume) ?? '', pod.metadata.namespace);
    if (claim?.status?.phase !== 'Bound' || !claim.spec?.volumeName) continue;
    if (volume.ephemeral && !isMadeForPod(pod, claim)) continue;
    const bound = listers.volumes.get(claim.spec.volumeName);
    if (bound === undefined || bound.spec?.claimRef?.uid !== claim.metadata.uid) continue;
    const attachable = attachableVolume(bound, listers.drivers);
    if (attachable !== undefined) found.push(attachable);
  }
  return found;
}

/** Undefined for a volume that needs no attaching. A driver that is not registered is taken to need it. */
export function attachableVolume(
  { metadata, spec }: PersistentVolume,
  drivers: Lister<CsiDriver>,
): AttachableVolume | undefined {
  const { driver, volumeHandle: handle } = spec?.csi ?? {};
  if (driver === undefined || handle === undefined) return undefined;
  if (drivers.get(driver)?.spec.attachRequired === false) return undefined;
  const modes = spec?.accessModes ?? [];
  const shared =
    modes.length === 0 || modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
  return { name: uniqueName(driver, handle), volumeName: metadata.name ?? '', driver, handle, shared };
}

export const uniqueName = (driver: string, handle: string): string => `kubernetes.io/csi/${driver}^${handle}`;

/** The name of the object that asks for a volume on a node. */
export async function attachmentName({ handle, driver }: AttachableVolume, node: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${handle}${driver}${node}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `csi-${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export const attachmentVolumeIndex = 'volume';

export const attachmentsByVolume = ({ spec }: VolumeAttachment): readonly string[] =>
  spec.source?.persistentVolumeName ? [spec.source.persistentVolumeName] : [];

export const attachmentNodeIndex = 'node';

export const attachmentsByNode = ({ spec }: VolumeAttachment): readonly string[] => [spec.nodeName];
