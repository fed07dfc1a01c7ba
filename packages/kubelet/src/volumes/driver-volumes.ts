/** Volumes of drivers outside the kubelet, as the other volumes see them. */
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { MountedVolume, VolumeAmounts } from './mounted-volume.ts';

export interface DriverVolumes {
  /** @throws VolumeFailure */
  mountInline(pod: Pod, volume: Volume): Promise<MountedVolume>;
  /** Also a block volume, whose path is that of a device. @throws VolumeFailure */
  mountPersistent(pod: Pod, persistent: PersistentVolume, readOnly: boolean): Promise<MountedVolume>;
  /** Ends all that the pod has of such volumes. @throws when a driver refuses or is not there: it is tried again */
  unmountPod(uid: string): Promise<void>;
  /** The file system of a volume that has grown grows too; false when the driver leaves that to nobody. */
  expand(pod: Pod, persistent: PersistentVolume, requiredBytes: number): Promise<boolean>;
  /** What the driver tells of a mounted volume; undefined when it tells nothing. */
  usage(folder: string): Promise<VolumeAmounts | undefined>;
}
