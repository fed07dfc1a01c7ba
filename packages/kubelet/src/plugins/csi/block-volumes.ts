/** Raw block volumes of CSI drivers: staged and published as devices, with a link for each pod. */
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { pairsOf } from '../../cri/shared-messages.ts';
import type { MountedVolume } from '../../volumes/mounted-volume.ts';
import type { DriverSpec } from './csi-api.ts';
import { NodeCapability } from './csi-messages.ts';
import { podDevicesFolder } from '../../pod-paths.ts';
import { linkDevice } from '../../volumes/link-device.ts';
import { attachmentName, blockFolder, csiPlugin } from './csi-paths.ts';
import type { CsiVolumesOptions } from './csi-volumes-options.ts';
import { accessModeOf, podInfo } from './publish-rules.ts';
import { readVolumeData, removeVolumeData, writeVolumeData, type VolumeData } from './volume-data.ts';

export interface MapRequest {
  readonly pod: Pod;
  readonly persistent: PersistentVolume;
  readonly spec: DriverSpec | undefined;
  readonly publishContext: Readonly<Record<string, string>>;
  readonly readOnly: boolean;
}

export class BlockVolumes {
  readonly #options: Pick<CsiVolumesOptions, 'folders' | 'drivers' | 'api'>;

  constructor(options: Pick<CsiVolumesOptions, 'folders' | 'drivers' | 'api'>) {
    this.#options = options;
  }

  /** Lists what is published, and for which pods. */
  async onDisk(): Promise<readonly { readonly data: VolumeData; readonly podUid: string }[]> {
    const found = [];
    for (const { volume, data } of await this.#known())
      for (const podUid of await readdir(this.#publishFolder(volume)).catch(() => []))
        found.push({ data, podUid });
    return found;
  }

  /** The resulting path is a link to the device. @throws GrpcError */
  async map({ pod, persistent, spec, publishContext, readOnly }: MapRequest): Promise<MountedVolume> {
    const { drivers, api, folders } = this.#options;
    const source = persistent.spec!.csi!;
    const volume = persistent.metadata?.name ?? '';
    const uid = pod.metadata?.uid ?? '';
    const driver = drivers.get(source.driver);
    const capabilities = await driver.capabilities();
    const volumeCapability = {
      block: {},
      accessMode: { mode: accessModeOf(persistent.spec?.accessModes ?? [], capabilities) },
    };
    const shared = {
      volumeId: source.volumeHandle,
      publishContext: pairsOf(publishContext),
      volumeCapability,
    };
    await writeVolumeData(this.#dataFolder(volume), {
      attachmentID: attachmentName(source.volumeHandle, source.driver, api.nodeName),
      driverName: source.driver,
      nodeName: api.nodeName,
      specVolID: volume,
      volumeHandle: source.volumeHandle,
      volumeLifecycleMode: 'Persistent',
    });
    const isStaged = capabilities.has(NodeCapability.stageUnstage);
    const stagingTargetPath = this.#stagingFolder(volume);
    if (isStaged) {
      await mkdir(stagingTargetPath, { recursive: true, mode: 0o750 });
      await driver.client.nodeStageVolume({
        ...shared,
        stagingTargetPath,
        secrets: pairsOf(await api.secret(source.nodeStageSecretRef)),
        volumeContext: pairsOf(source.volumeAttributes),
      });
    }
    await mkdir(this.#publishFolder(volume), { recursive: true, mode: 0o750 });
    const targetPath = path.join(this.#publishFolder(volume), uid);
    await driver.client.nodePublishVolume({
      ...shared,
      targetPath,
      ...(isStaged ? { stagingTargetPath } : {}),
      readonly: readOnly,
      secrets: pairsOf(await api.secret(source.nodePublishSecretRef)),
      volumeContext: pairsOf({
        ...source.volumeAttributes,
        ...(spec?.podInfoOnMount ? podInfo(pod, false) : {}),
      }),
    });
    return {
      hostPath: await linkDevice(podDevicesFolder(folders, uid, csiPlugin), volume, targetPath),
      readOnly,
      isDevice: true,
    };
  }

  async unmapPod(uid: string): Promise<void> {
    const { folders, drivers } = this.#options;
    for (const { volume, data } of await this.#known()) {
      const published: readonly string[] = await readdir(this.#publishFolder(volume)).catch(() => []);
      if (!published.includes(uid)) continue;
      const targetPath = path.join(this.#publishFolder(volume), uid);
      const { client } = drivers.get(data.driverName);
      await client.nodeUnpublishVolume({ volumeId: data.volumeHandle, targetPath });
      await rm(targetPath, { force: true });
    }
    await rm(podDevicesFolder(folders, uid, csiPlugin), { recursive: true, force: true });
  }

  /** The last pod that used it is gone. */
  async release(driverName: string, handle: string): Promise<void> {
    for (const { volume, data } of await this.#known()) {
      if (data.driverName !== driverName || data.volumeHandle !== handle) continue;
      const driver = this.#options.drivers.get(driverName);
      const stagingTargetPath = this.#stagingFolder(volume);
      if ((await driver.capabilities()).has(NodeCapability.stageUnstage))
        await driver.client.nodeUnstageVolume({ volumeId: handle, stagingTargetPath });
      await removeVolumeData(this.#dataFolder(volume));
      for (const folder of [stagingTargetPath, this.#publishFolder(volume), this.#dataFolder(volume)])
        await rmdir(folder).catch(() => undefined);
      await rmdir(path.dirname(this.#dataFolder(volume))).catch(() => undefined);
    }
  }

  async #known(): Promise<readonly { readonly volume: string; readonly data: VolumeData }[]> {
    const found: { volume: string; data: VolumeData }[] = [];
    for (const volume of await readdir(blockFolder(this.#options.folders)).catch(() => [])) {
      const data = await readVolumeData(this.#dataFolder(volume));
      if (data !== undefined) found.push({ volume, data });
    }
    return found;
  }

  #dataFolder = (volume: string): string => path.join(blockFolder(this.#options.folders), volume, 'data');

  #stagingFolder = (volume: string): string =>
    path.join(blockFolder(this.#options.folders), 'staging', volume);

  #publishFolder = (volume: string): string =>
    path.join(blockFolder(this.#options.folders), 'publish', volume);
}
