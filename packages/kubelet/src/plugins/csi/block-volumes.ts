/** Raw block volumes of CSI drivers: staged and published as devices, with a link for each pod. */
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { pairsOf } from '../../cri/shared-messages.ts';
import type { MountedVolume } from '../../volumes/mounted-volume.ts';
import type { DriverSpec } from './csi-api.ts';
import { NodeCapability } from './csi-messages.ts';
import { podDevicesDirectory } from '../../pod-paths.ts';
import { linkDevice } from '../../volumes/link-device.ts';
import { attachmentName, blockDirectory, csiPlugin } from './csi-paths.ts';
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
  readonly #options: Pick<CsiVolumesOptions, 'directories' | 'drivers' | 'api'>;

  constructor(options: Pick<CsiVolumesOptions, 'directories' | 'drivers' | 'api'>) {
    this.#options = options;
  }

  /** Lists what is published, and for which pods. */
  async onDisk(): Promise<readonly { readonly data: VolumeData; readonly podUid: string }[]> {
    const found = [];
    for (const { volume, data } of await this.#known())
      for (const podUid of await readdir(this.#publishDirectory(volume)).catch(() => []))
        found.push({ data, podUid });
    return found;
  }

  /** The resulting path is a link to the device. @throws GrpcError */
  async map({ pod, persistent, spec, publishContext, readOnly }: MapRequest): Promise<MountedVolume> {
    const { drivers, api, directories } = this.#options;
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
    await writeVolumeData(this.#dataDirectory(volume), {
      attachmentID: attachmentName(source.volumeHandle, source.driver, api.nodeName),
      driverName: source.driver,
      nodeName: api.nodeName,
      specVolID: volume,
      volumeHandle: source.volumeHandle,
      volumeLifecycleMode: 'Persistent',
    });
    const isStaged = capabilities.has(NodeCapability.stageUnstage);
    const stagingTargetPath = this.#stagingDirectory(volume);
    if (isStaged) {
      await mkdir(stagingTargetPath, { recursive: true, mode: 0o750 });
      await driver.client.nodeStageVolume({
        ...shared,
        stagingTargetPath,
        secrets: pairsOf(await api.secret(source.nodeStageSecretRef)),
        volumeContext: pairsOf(source.volumeAttributes),
      });
    }
    await mkdir(this.#publishDirectory(volume), { recursive: true, mode: 0o750 });
    const targetPath = path.join(this.#publishDirectory(volume), uid);
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
      hostPath: await linkDevice(podDevicesDirectory(directories, uid, csiPlugin), volume, targetPath),
      readOnly,
      isDevice: true,
    };
  }

  async unmapPod(uid: string): Promise<void> {
    const { directories, drivers } = this.#options;
    for (const { volume, data } of await this.#known()) {
      const published: readonly string[] = await readdir(this.#publishDirectory(volume)).catch(() => []);
      if (!published.includes(uid)) continue;
      const targetPath = path.join(this.#publishDirectory(volume), uid);
      const { client } = drivers.get(data.driverName);
      await client.nodeUnpublishVolume({ volumeId: data.volumeHandle, targetPath });
      await rm(targetPath, { force: true });
    }
    await rm(podDevicesDirectory(directories, uid, csiPlugin), { recursive: true, force: true });
  }

  /** The last pod that used it is gone. */
  async release(driverName: string, handle: string): Promise<void> {
    for (const { volume, data } of await this.#known()) {
      if (data.driverName !== driverName || data.volumeHandle !== handle) continue;
      const driver = this.#options.drivers.get(driverName);
      const stagingTargetPath = this.#stagingDirectory(volume);
      if ((await driver.capabilities()).has(NodeCapability.stageUnstage))
        await driver.client.nodeUnstageVolume({ volumeId: handle, stagingTargetPath });
      await removeVolumeData(this.#dataDirectory(volume));
      for (const directory of [
        stagingTargetPath,
        this.#publishDirectory(volume),
        this.#dataDirectory(volume),
      ])
        await rmdir(directory).catch(() => undefined);
      await rmdir(path.dirname(this.#dataDirectory(volume))).catch(() => undefined);
    }
  }

  async #known(): Promise<readonly { readonly volume: string; readonly data: VolumeData }[]> {
    const found: { volume: string; data: VolumeData }[] = [];
    for (const volume of await readdir(blockDirectory(this.#options.directories)).catch(() => [])) {
      const data = await readVolumeData(this.#dataDirectory(volume));
      if (data !== undefined) found.push({ volume, data });
    }
    return found;
  }

  #dataDirectory = (volume: string): string =>
    path.join(blockDirectory(this.#options.directories), volume, 'data');

  #stagingDirectory = (volume: string): string =>
    path.join(blockDirectory(this.#options.directories), 'staging', volume);

  #publishDirectory = (volume: string): string =>
    path.join(blockDirectory(this.#options.directories), 'publish', volume);
}
