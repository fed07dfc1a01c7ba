/** Expands volumes on the node. */
import path from 'node:path';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { pairsOf } from '../../cri/shared-messages.ts';
import { failure } from './csi-failure.ts';
import { NodeCapability } from './csi-messages.ts';
import { csiVolumeDirectory, globalMount, stagingDirectory } from './csi-paths.ts';
import type { CsiVolumesOptions } from './csi-volumes-options.ts';
import { accessModeOf } from './publish-rules.ts';

/** Expands the file system of an expanded volume; false if the driver doesn't support that. */
export async function expandVolume(
  options: CsiVolumesOptions,
  pod: Pod,
  persistent: PersistentVolume,
  requiredBytes: number,
): Promise<boolean> {
  const { driver: driverName, volumeHandle, fsType = '', nodeExpandSecretRef } = persistent.spec!.csi!;
  const { drivers, directories, api } = options;
  const driver = drivers.get(driverName);
  const capabilities = await driver.capabilities();
  if (!capabilities.has(NodeCapability.expand)) return false;
  const volume = persistent.metadata?.name ?? '';
  const staged = capabilities.has(NodeCapability.stageUnstage);
  const staging = globalMount(stagingDirectory(directories, driverName, volumeHandle));
  const mode = accessModeOf(persistent.spec?.accessModes ?? [], capabilities);
  const secrets = pairsOf(await api.secret(nodeExpandSecretRef));
  try {
    await driver.client.nodeExpandVolume({
      volumeId: volumeHandle,
      volumePath: path.join(csiVolumeDirectory(directories, pod.metadata?.uid ?? '', volume), 'mount'),
      capacityRange: { requiredBytes },
      ...(staged ? { stagingTargetPath: staging } : {}),
      volumeCapability: {
        mount: { fsType, mountFlags: persistent.spec?.mountOptions ?? [] },
        accessMode: { mode },
      },
      secrets,
    });
  } catch (error) {
    throw failure('NodeExpandVolume', volume, error);
  }
  return true;
}
