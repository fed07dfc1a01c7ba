/** Volumes of drivers that require attachment to a node before the node can mount them. */

import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import type {
  CsiDriver,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  VolumeAttachment,
} from '../objects.ts';
import type { Lister } from '@coxswain/client';
import { isMadeForPod } from '../volumes/claims-of-pods.ts';
import { translatedInline, translatedVolume, type InlineSpec } from '../volumes/csi-translation.ts';

export interface AttachableVolume {
  /** As reported by nodes: `kubernetes.io/csi/DRIVER^HANDLE`. */
  readonly name: string;
  readonly volumeName: string;
  readonly driver: string;
  readonly handle: string;
  /** Whether several nodes may have it attached. */
  readonly shared: boolean;
  /** For a volume defined in its pod instead of a persistent volume. */
  readonly inline?: InlineSpec;
}

export interface VolumeListers {
  readonly claims: Lister<PersistentVolumeClaim>;
  readonly volumes: Lister<PersistentVolume>;
  readonly drivers: Lister<CsiDriver>;
}

/** Returns the bound volumes of a pod that need attaching. */
export function attachableVolumes(pod: Pod, listers: VolumeListers): AttachableVolume[] {
  const found: AttachableVolume[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const inline = attachableInline(pod, volume, listers.drivers);
    if (inline !== undefined) found.push(inline);
    const claim = listers.claims.get(volumeClaimName(pod, volume) ?? '', pod.metadata.namespace);
    if (claim?.status?.phase !== 'Bound' || !claim.spec?.volumeName) continue;
    if (volume.ephemeral && !isMadeForPod(pod, claim)) continue;
    const bound = listers.volumes.get(claim.spec.volumeName);
    if (bound === undefined || bound.spec?.claimRef?.uid !== claim.metadata.uid) continue;
    const attachable = attachableVolume(bound, listers.drivers);
    if (attachable !== undefined) found.push(attachable);
  }
  return found;
}

/** Undefined for a volume that needs no attaching. Unregistered drivers are assumed to need it. */
export function attachableVolume(
  volume: PersistentVolume,
  drivers: Lister<CsiDriver>,
): AttachableVolume | undefined {
  const { metadata, spec } = volume;
  const csi = spec?.csi ?? translatedVolume(volume);
  if (csi === undefined) return undefined;
  const { driver, volumeHandle: handle } = csi;
  if (drivers.get(driver)?.spec.attachRequired === false) return undefined;
  const modes = spec?.gcePersistentDisk ? diskModes(spec.accessModes ?? []) : (spec?.accessModes ?? []);
  const shared = modes.length === 0 || modes.some(isShared);
  return { name: uniqueName(driver, handle), volumeName: metadata.name ?? '', driver, handle, shared };
}

const isShared = (mode: string): boolean => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany';

/** These disks can be attached to several nodes for reading only. */
const diskModes = (modes: readonly string[]): readonly string[] =>
  modes.every((mode) => mode === 'ReadOnlyMany') ? modes : ['ReadWriteOnce'];

type PodVolume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

function attachableInline(
  pod: Pod,
  volume: PodVolume,
  drivers: Lister<CsiDriver>,
): AttachableVolume | undefined {
  const translated = translatedInline(volume, pod.metadata.namespace ?? '');
  if (translated === undefined) return undefined;
  const { driver, volumeHandle: handle } = translated.spec.csi;
  if (drivers.get(driver)?.spec.attachRequired === false) return undefined;
  return {
    name: uniqueName(driver, handle),
    volumeName: translated.name,
    driver,
    handle,
    shared: translated.spec.accessModes.some(isShared),
    inline: translated.spec,
  };
}

/** Whether a pod defines a volume itself that may need attaching. */
export const hasInlineVolume = (pod: Pod): boolean =>
  (pod.spec?.volumes ?? []).some(
    (volume) => translatedInline(volume, pod.metadata.namespace ?? '') !== undefined,
  );

export const uniqueName = (driver: string, handle: string): string => `kubernetes.io/csi/${driver}^${handle}`;

/** Returns the name of the VolumeAttachment for a volume on a node. */
export async function attachmentName({ handle, driver }: AttachableVolume, node: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${handle}${driver}${node}`);
  const digest = new Uint8Array(await inWallTime(() => crypto.subtle.digest('SHA-256', bytes)));
  return `csi-${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export const attachmentVolumeIndex = 'volume';

export function attachmentsByVolume({ spec }: VolumeAttachment): readonly string[] {
  const { persistentVolumeName, inlineVolumeSpec } = spec.source ?? {};
  if (persistentVolumeName) return [persistentVolumeName];
  const csi = inlineVolumeSpec?.csi;
  return csi ? [uniqueName(csi.driver, csi.volumeHandle)] : [];
}

/** The key by which {@link attachmentsByVolume} indexes it. */
export const volumeKey = ({ inline, name, volumeName }: AttachableVolume): string =>
  inline === undefined ? volumeName : name;

export const attachmentNodeIndex = 'node';

export const attachmentsByNode = ({ spec }: VolumeAttachment): readonly string[] => [spec.nodeName];
