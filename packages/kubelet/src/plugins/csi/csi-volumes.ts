/** CSI volumes: attached by the controller, staged once per node, published to each pod. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { DriverVolumes } from '../../volumes/driver-volumes.ts';
import type { MountedVolume, VolumeAmounts } from '../../volumes/mounted-volume.ts';
import {
  attachmentName,
  csiDirectory,
  csiVolumesDirectory,
  ephemeralHandle,
  uniqueVolumeName,
} from './csi-paths.ts';
import { BlockVolumes } from './block-volumes.ts';
import { CsiPublisher } from './csi-publisher.ts';
import { CsiStaging } from './csi-staging.ts';
import { failure, refuseMode, registered } from './csi-failure.ts';
import { expandVolume } from './driver-expansion.ts';
import { volumeUsage } from './driver-usage.ts';
import { volumesIn, type VolumeData } from './volume-data.ts';
import type { CsiVolumesOptions } from './csi-volumes-options.ts';

/** A volume on this node, used by one or more pods. */
interface Device {
  readonly driver: string;
  readonly handle: string;
  isAttachable: boolean;
  readonly pods: Set<string>;
}

/**
 * How often, and for how long, to check whether a volume is attached before falling back to the pod's retry interval.
 */
const attachLookEveryMs = 250;
const attachWaitMs = 5_000;

export class CsiVolumes implements DriverVolumes {
  readonly #options: CsiVolumesOptions;
  readonly #devices = new Map<string, Device>();
  readonly #work = new Map<string, Promise<unknown>>();
  readonly #blocks: BlockVolumes;
  readonly #staging: CsiStaging;
  readonly #publisher: CsiPublisher;

  constructor(options: CsiVolumesOptions) {
    this.#options = options;
    this.#blocks = new BlockVolumes(options);
    this.#staging = new CsiStaging(options);
    this.#publisher = new CsiPublisher(options);
  }

  /** For `volumesInUse`: none of these may be detached. */
  inUse(): readonly string[] {
    return [...this.#devices].filter(([, { isAttachable }]) => isAttachable).map(([name]) => name);
  }

  /** Reads from disk what an earlier kubelet has mounted. */
  async load(): Promise<void> {
    const { directories, api } = this.#options;
    for (const driver of await readdir(csiDirectory(directories)).catch(() => []))
      for (const { data } of await volumesIn(path.join(csiDirectory(directories), driver)))
        this.#device(data);
    for (const data of await this.#blocks.onDisk()) this.#device(data.data).pods.add(data.podUid);
    for (const uid of await readdir(path.join(directories.root, 'pods')).catch(() => []))
      for (const { data } of await volumesIn(csiVolumesDirectory(directories, uid)))
        if (data.volumeLifecycleMode !== 'Ephemeral') this.#device(data).pods.add(uid);
    for (const device of this.#devices.values())
      device.isAttachable = (await api.driver(device.driver))?.attachRequired ?? true;
  }

  async mountInline(pod: Pod, { name, csi }: Volume): Promise<MountedVolume> {
    const { drivers, api } = this.#options;
    const source = csi!;
    const uid = pod.metadata?.uid ?? '';
    try {
      const driver = registered(drivers, source.driver, 'mounter.SetUpAt failed to get CSI client');
      const spec = await api.driver(source.driver);
      refuseMode(source.driver, spec, 'Ephemeral');
      const { nodePublishSecretRef } = source;
      return await this.#publisher.publish({
        pod,
        driver,
        spec,
        handle: ephemeralHandle(uid, name),
        volume: name,
        isEphemeral: true,
        readOnly: source.readOnly ?? false,
        fsType: source.fsType ?? '',
        accessModes: ['ReadWriteOnce'],
        mountOptions: [],
        attributes: source.volumeAttributes ?? {},
        secret: nodePublishSecretRef && { ...nodePublishSecretRef, namespace: pod.metadata?.namespace ?? '' },
        publishContext: {},
        stagingPath: '',
      });
    } catch (error) {
      throw failure('MountVolume.SetUp', name, error);
    }
  }

  async mountPersistent(pod: Pod, persistent: PersistentVolume, readOnly: boolean): Promise<MountedVolume> {
    const volume = persistent.metadata?.name ?? '';
    const source = persistent.spec!.csi!;
    const { driver: driverName, volumeHandle } = source;
    const device = this.#device({ driverName, volumeHandle });
    device.pods.add(pod.metadata?.uid ?? '');
    return this.#alone(uniqueVolumeName(driverName, volumeHandle), async () => {
      const spec = await this.#options.api.driver(driverName);
      device.isAttachable = spec?.attachRequired ?? true;
      const publishContext = device.isAttachable ? await this.#attached(volume, device) : {};
      const parts = { pod, persistent, spec, publishContext };
      if (persistent.spec?.volumeMode === 'Block')
        return this.#blocks.map({ ...parts, readOnly }).catch((error: unknown) => {
          throw failure('MapVolume.SetUpDevice', volume, error);
        });
      const stagingPath = await this.#staging.stage(parts);
      try {
        refuseMode(driverName, spec, 'Persistent');
        return await this.#publisher.publish({
          pod,
          driver: registered(this.#options.drivers, driverName, 'mounter.SetUpAt failed to get CSI client'),
          spec,
          handle: volumeHandle,
          volume,
          isEphemeral: false,
          readOnly,
          fsType: source.fsType ?? '',
          accessModes: persistent.spec?.accessModes ?? [],
          mountOptions: persistent.spec?.mountOptions ?? [],
          attributes: source.volumeAttributes ?? {},
          secret: source.nodePublishSecretRef,
          publishContext,
          stagingPath,
        });
      } catch (error) {
        throw failure('MountVolume.SetUp', volume, error);
      }
    });
  }

  async unmountPod(uid: string): Promise<void> {
    const { directories } = this.#options;
    for (const { directory, data } of await volumesIn(csiVolumesDirectory(directories, uid)))
      await this.#publisher.unpublish(directory, data);
    await this.#blocks.unmapPod(uid);
    let changed = false;
    for (const [name, device] of this.#devices) {
      if (!device.pods.delete(uid) || device.pods.size > 0) continue;
      changed = true;
      try {
        await this.#alone(name, () => this.#release(name, device));
      } catch (error) {
        device.pods.add(uid);
        throw error;
      }
    }
    if (changed) await this.#options.reportInUse();
  }

  /** Unstages volumes that no pod has used since an earlier kubelet. */
  async releaseUnused(): Promise<void> {
    let changed = false;
    for (const [name, device] of this.#devices) {
      if (device.pods.size > 0) continue;
      await this.#alone(name, () => this.#release(name, device));
      changed = true;
    }
    if (changed) await this.#options.reportInUse();
  }

  usage(directory: string): Promise<VolumeAmounts | undefined> {
    return volumeUsage(this.#options, directory);
  }

  expand(pod: Pod, persistent: PersistentVolume, requiredBytes: number): Promise<boolean> {
    return expandVolume(this.#options, pod, persistent, requiredBytes);
  }

  #device({ driverName, volumeHandle }: Pick<VolumeData, 'driverName' | 'volumeHandle'>): Device {
    const name = uniqueVolumeName(driverName, volumeHandle);
    let device = this.#devices.get(name);
    if (device === undefined) {
      device = { driver: driverName, handle: volumeHandle, isAttachable: false, pods: new Set() };
      this.#devices.set(name, device);
    }
    return device;
  }

  /** Runs one step at a time per volume, however many pods use it. */
  #alone<T>(name: string, step: () => Promise<T>): Promise<T> {
    const before = this.#work.get(name) ?? Promise.resolve();
    const next = before.catch(() => undefined).then(step);
    this.#work.set(name, next);
    const forget = (): void => {
      if (this.#work.get(name) === next) this.#work.delete(name);
    };
    next.then(forget, forget);
    return next;
  }

  /** Waits until the volume is attached to this node; returns the attacher's metadata. */
  async #attached(volume: string, { driver, handle }: Device): Promise<Readonly<Record<string, string>>> {
    const { api, clock, reportInUse } = this.#options;
    // Reported first, since a volume reported as in use is not detached from under a pod.
    await reportInUse();
    try {
      for (const endMs = clock.monotonic() + attachWaitMs; ; await clock.sleep(attachLookEveryMs)) {
        const isReported = await api.isReportedAttached(driver, handle);
        const context = isReported ? await api.attachment(driver, handle) : undefined;
        if (context !== undefined) return context;
        if (clock.monotonic() < endMs) continue;
        if (!isReported) throw new Error('volume not attached according to node status');
        const name = attachmentName(handle, driver, api.nodeName);
        throw new Error(`volume ${handle} is not attached for volume attachment ${name}`);
      }
    } catch (error) {
      throw failure('MountVolume.WaitForAttach', volume, error);
    }
  }

  async #release(name: string, { driver, handle, pods }: Device): Promise<void> {
    // Another pod may have started using it in the meantime.
    if (pods.size > 0) return;
    await this.#staging.unstage(driver, handle);
    await this.#blocks.release(driver, handle);
    this.#devices.delete(name);
  }
}
