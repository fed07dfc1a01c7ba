/** The usage of a pod's volumes. */
import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { Clock } from '@coxswain/apimachinery';
import { diskUsage } from './disk-usage.ts';
import { filesystemUse } from '../node/machine.ts';
import type { DriverVolumes } from './driver-volumes.ts';
import type { MountedVolume, VolumeAmounts } from './mounted-volume.ts';

/** As in the node's summary. */
export interface VolumeUsage extends VolumeAmounts {
  readonly name: string;
  readonly pvcRef?: { readonly name: string; readonly namespace: string };
}

export interface VolumeUsagesOptions {
  readonly clock: Clock;
  readonly mounted: (podUid: string) => ReadonlyMap<string, MountedVolume>;
  readonly csi: Pick<DriverVolumes, 'usage'>;
}

/** How long results are cached, since walking through all files takes time. */
const freshMs = 60_000;

export class VolumeUsages {
  readonly #options: VolumeUsagesOptions;
  readonly #known = new Map<
    string,
    { readonly atMs: number; readonly usages: Promise<readonly VolumeUsage[]> }
  >();

  constructor(options: VolumeUsagesOptions) {
    this.#options = options;
  }

  /** For volumes that have figures; at most a minute old. */
  of(pod: Pod): Promise<readonly VolumeUsage[]> {
    const uid = pod.metadata?.uid ?? '';
    const nowMs = this.#options.clock.monotonic();
    for (const [other, { atMs }] of this.#known) if (nowMs - atMs >= freshMs) this.#known.delete(other);
    const known = this.#known.get(uid);
    if (known !== undefined) return known.usages;
    const usages = this.#read(pod);
    this.#known.set(uid, { atMs: nowMs, usages });
    return usages;
  }

  async #read(pod: Pod): Promise<readonly VolumeUsage[]> {
    const mounted = this.#options.mounted(pod.metadata?.uid ?? '');
    const usages: VolumeUsage[] = [];
    for (const volume of pod.spec?.volumes ?? []) {
      const place = mounted.get(volume.name);
      if (place === undefined || place.isDevice || volume.hostPath) continue;
      // A driver that doesn't answer, or a directory that has just disappeared, has no figures, without affecting the
      // others.
      const amounts = await this.#amounts(volume, place.hostPath).catch(() => undefined);
      if (amounts !== undefined) usages.push({ name: volume.name, ...claimOf(pod, volume), ...amounts });
    }
    return usages;
  }

  async #amounts(volume: Volume, directory: string): Promise<VolumeAmounts | undefined> {
    if (directory.includes('/kubernetes.io~csi/')) return this.#options.csi.usage(path.dirname(directory));
    // Upstream has no figures for persistent volumes that are directories of the node.
    if (!directory.includes('/kubernetes.io~')) return undefined;
    const { capacityBytes, availableBytes, inodes, inodesFree } = filesystemUse(directory);
    const whole = { capacityBytes, availableBytes, inodes, inodesFree };
    if (volume.persistentVolumeClaim || volume.ephemeral || volume.nfs)
      return { ...whole, usedBytes: capacityBytes - availableBytes, inodesUsed: inodes - inodesFree };
    const used = await diskUsage(directory);
    if (used.inodes === 0) return undefined;
    return { ...whole, usedBytes: used.bytes, inodesUsed: used.inodes };
  }
}

function claimOf(pod: Pod, volume: Volume) {
  const name = volumeClaimName(pod, volume);
  return name === undefined ? {} : { pvcRef: { name, namespace: pod.metadata?.namespace ?? '' } };
}
