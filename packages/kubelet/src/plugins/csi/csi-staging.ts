/** Stages volumes on the node before the first pod uses them, and unstages them after the last. */
import { mkdir } from 'node:fs/promises';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { pairsOf } from '../../cri/shared-messages.ts';
import { failure, registered } from './csi-failure.ts';
import { NodeCapability } from './csi-messages.ts';
import { globalMount, stagingDirectory } from './csi-paths.ts';
import type { CsiVolumesOptions } from './csi-volumes-options.ts';
import { removeMountDirectory } from './mount-directory.ts';
import { accessModeOf, groupIsDriversToSet } from './publish-rules.ts';
import { readVolumeData, writeVolumeData } from './volume-data.ts';

export interface StageParts {
  readonly pod: Pod;
  readonly persistent: PersistentVolume;
  readonly publishContext: Readonly<Record<string, string>>;
}

export class CsiStaging {
  readonly #options: CsiVolumesOptions;

  constructor(options: CsiVolumesOptions) {
    this.#options = options;
  }

  /** Returns where the volume was staged; empty if the driver has no such step. */
  async stage({ persistent, publishContext, pod }: StageParts): Promise<string> {
    const volume = persistent.metadata?.name ?? '';
    const source = persistent.spec!.csi!;
    const { directories, drivers, api } = this.#options;
    const staging = stagingDirectory(directories, source.driver, source.volumeHandle);
    try {
      const driver = registered(
        drivers,
        source.driver,
        'attacher.MountDevice failed to create newCsiDriverClient',
      );
      const capabilities = await driver.capabilities();
      if (!capabilities.has(NodeCapability.stageUnstage)) return '';
      const secrets = pairsOf(await api.secret(source.nodeStageSecretRef));
      const wasThere = (await readVolumeData(staging)) !== undefined;
      await writeVolumeData(staging, { driverName: source.driver, volumeHandle: source.volumeHandle });
      const stagingTargetPath = globalMount(staging);
      await mkdir(stagingTargetPath, { recursive: true, mode: 0o750 });
      const group = groupIsDriversToSet(pod, capabilities);
      await driver.client
        .nodeStageVolume({
          volumeId: source.volumeHandle,
          publishContext: pairsOf(publishContext),
          stagingTargetPath,
          volumeCapability: {
            mount: {
              fsType: source.fsType ?? '',
              mountFlags: persistent.spec?.mountOptions ?? [],
              ...(group === undefined ? {} : { volumeMountGroup: group }),
            },
            accessMode: { mode: accessModeOf(persistent.spec?.accessModes ?? [], capabilities) },
          },
          secrets,
          volumeContext: pairsOf(source.volumeAttributes),
        })
        .catch(async (error: unknown) => {
          if (!wasThere) await removeMountDirectory(staging, stagingTargetPath);
          throw error;
        });
      return stagingTargetPath;
    } catch (error) {
      throw failure('MountVolume.MountDevice', volume, error);
    }
  }

  /** @throws VolumeFailure if the driver refuses */
  async unstage(driver: string, handle: string): Promise<void> {
    const staging = stagingDirectory(this.#options.directories, driver, handle);
    if ((await readVolumeData(staging)) === undefined) return;
    const target = globalMount(staging);
    try {
      const { client } = this.#options.drivers.get(driver);
      await client.nodeUnstageVolume({ volumeId: handle, stagingTargetPath: target });
    } catch (error) {
      throw failure('UnmountDevice', handle, error);
    }
    await removeMountDirectory(staging, target);
  }
}
