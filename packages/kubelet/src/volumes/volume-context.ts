/** What mounting a volume requires, whatever its type. */
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeletDirectories } from '../pod-paths.ts';
import type { DriverVolumes } from './driver-volumes.ts';
import type { ContentSources } from './volume-content.ts';

export interface VolumeContext {
  readonly directories: KubeletDirectories;
  readonly sources: ContentSources & {
    claim(namespace: string, name: string): Promise<PersistentVolumeClaim>;
    persistentVolume(name: string): Promise<PersistentVolume>;
    /** Reports the claim's new capacity to the API. */
    claimGrown?(claim: PersistentVolumeClaim, storage: string): Promise<void>;
  };
  readonly expanded?: (pod: Pod, volume: string) => void;
  readonly csi?: Omit<DriverVolumes, 'usage'> | undefined;
  readonly now: () => number;
}
