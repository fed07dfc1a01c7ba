/** The interface of external volume drivers to the other volume code. */
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { MountedVolume, VolumeAmounts } from './mounted-volume.ts';

export interface DriverVolumes {
  /** @throws VolumeFailure */
  mountInline(pod: Pod, volume: Volume): Promise<MountedVolume>;
  /** Also for a block volume, whose path is that of a device. @throws VolumeFailure */
  mountPersistent(pod: Pod, persistent: PersistentVolume, readOnly: boolean): Promise<MountedVolume>;
  /** Unmounts all such volumes of a pod. @throws if a driver fails or is missing: the caller retries */
  unmountPod(uid: string): Promise<void>;
  /** Expands the file system of an expanded volume; false if the driver doesn't support that. */
  expand(pod: Pod, persistent: PersistentVolume, requiredBytes: number): Promise<boolean>;
  /** Returns the driver's figures for a mounted volume; undefined if it reports none. */
  usage(directory: string): Promise<VolumeAmounts | undefined>;
}
