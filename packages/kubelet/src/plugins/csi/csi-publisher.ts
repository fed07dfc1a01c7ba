/** Publishes volumes to pods and unpublishes them. */
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { pairsOf } from '../../cri/shared-messages.ts';
import { giveToGroup } from '../../volumes/group-ownership.ts';
import type { MountedVolume } from '../../volumes/mounted-volume.ts';
import type { CsiFacts, DriverSpec } from './csi-api.ts';
import { failure } from './csi-failure.ts';
import { attachmentName, csiVolumeDirectory } from './csi-paths.ts';
import type { CsiVolumesOptions } from './csi-volumes-options.ts';
import { removeMountDirectory } from './mount-directory.ts';
import { accessModeOf, groupIsDriversToSet, kubeletSetsGroup, podInfo } from './publish-rules.ts';
import type { RegisteredDriver } from './registered-drivers.ts';
import { readVolumeData, writeVolumeData, type VolumeData } from './volume-data.ts';

/** The parameters of publishing a volume. */
export interface Publication {
  readonly pod: Pod;
  readonly driver: RegisteredDriver;
  readonly spec: DriverSpec | undefined;
  readonly handle: string;
  /** The name of the persistent volume, or of the pod's own volume. */
  readonly volume: string;
  readonly isEphemeral: boolean;
  readonly readOnly: boolean;
  readonly fsType: string;
  readonly accessModes: readonly string[];
  readonly mountOptions: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly secret: Parameters<CsiFacts['secret']>[0];
  readonly publishContext: Readonly<Record<string, string>>;
  readonly stagingPath: string;
}

export class CsiPublisher {
  readonly #options: CsiVolumesOptions;

  constructor(options: CsiVolumesOptions) {
    this.#options = options;
  }

  async publish(publication: Publication): Promise<MountedVolume> {
    const { pod, driver, spec, handle, volume, readOnly, isEphemeral } = publication;
    const { directories, api } = this.#options;
    const directory = csiVolumeDirectory(directories, pod.metadata?.uid ?? '', volume);
    const target = path.join(directory, 'mount');
    const capabilities = await driver.capabilities();
    const tokens = await api.tokens(pod, spec?.tokenRequests);
    const secrets = await api.secret(publication.secret);
    const inSecrets = spec?.serviceAccountTokenInSecrets ?? false;
    const wasThere = (await readVolumeData(directory)) !== undefined;
    await writeVolumeData(directory, {
      attachmentID: attachmentName(handle, driver.name, api.nodeName),
      driverName: driver.name,
      nodeName: api.nodeName,
      specVolID: volume,
      volumeHandle: handle,
      volumeLifecycleMode: isEphemeral ? 'Ephemeral' : 'Persistent',
    });
    const group = groupIsDriversToSet(pod, capabilities);
    await driver.client
      .nodePublishVolume({
        volumeId: handle,
        publishContext: pairsOf(publication.publishContext),
        stagingTargetPath: publication.stagingPath,
        targetPath: target,
        volumeCapability: {
          mount: {
            fsType: publication.fsType,
            mountFlags: publication.mountOptions,
            ...(group === undefined ? {} : { volumeMountGroup: group }),
          },
          accessMode: { mode: accessModeOf(publication.accessModes, capabilities) },
        },
        readonly: readOnly,
        secrets: pairsOf(inSecrets ? { ...secrets, ...tokens } : secrets),
        volumeContext: pairsOf({
          ...publication.attributes,
          ...(spec?.podInfoOnMount ? podInfo(pod, isEphemeral) : {}),
          ...(inSecrets ? {} : tokens),
        }),
      })
      .catch(async (error: unknown) => {
        // A volume that containers already see must remain.
        if (!wasThere) await removeMountDirectory(directory, target);
        throw error;
      });
    const fsGroup = kubeletSetsGroup({ ...publication, policy: spec?.fsGroupPolicy, capabilities });
    if (fsGroup !== undefined && !wasThere) {
      const onlyOnMismatch = pod.spec?.securityContext?.fsGroupChangePolicy === 'OnRootMismatch';
      await giveToGroup(target, { group: fsGroup, readOnly, onlyOnMismatch });
    }
    return { hostPath: target, readOnly, ...(spec?.requiresRepublish ? { isRepublished: true } : {}) };
  }

  async unpublish(directory: string, { driverName, volumeHandle }: VolumeData): Promise<void> {
    const target = path.join(directory, 'mount');
    try {
      const { client } = this.#options.drivers.get(driverName);
      await client.nodeUnpublishVolume({ volumeId: volumeHandle, targetPath: target });
    } catch (error) {
      throw failure('UnmountVolume.TearDown', path.basename(directory), error);
    }
    await removeMountDirectory(directory, target);
  }
}
