/** Volumes of CSI drivers: attached by the controller, staged once on the node, published for each pod. */
import { lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { KubeletFolders } from '../../containers/pod-paths.ts';
import { criFailureText } from '../../cri/cri-client.ts';
import { pairsOf } from '../../cri/shared-messages.ts';
import { giveToGroup } from '../../volumes/group-ownership.ts';
import { mountsBelow } from '../../volumes/kernel-mounts.ts';
import { VolumeFailure } from '../../volumes/volume-failure.ts';
import type { MountedVolume } from '../../volumes/set-up-volume.ts';
import { accessModeOf, groupIsDriversToSet, kubeletSetsGroup, podInfo } from './publish-rules.ts';
import { NodeCapability } from './csi-messages.ts';
import type { CsiFacts, DriverSpec } from './csi-api.ts';
import {
  attachmentName,
  csiFolder,
  csiVolumeFolder,
  csiVolumesFolder,
  ephemeralHandle,
  globalMount,
  stagingFolder,
  uniqueVolumeName,
} from './csi-paths.ts';
import { BlockVolumes } from './block-volumes.ts';
import type { RegisteredDriver, RegisteredDrivers } from './registered-drivers.ts';
import { readVolumeData, removeVolumeData, volumesIn, writeVolumeData } from './volume-data.ts';
import type { VolumeData } from './volume-data.ts';

export interface CsiVolumesOptions {
  readonly folders: KubeletFolders;
  readonly drivers: RegisteredDrivers;
  readonly api: CsiFacts;
  readonly clock: Clock;
  /** Tells the API at once which volumes are in use. */
  readonly reportInUse: () => Promise<void>;
}

/** A volume on this node, of one pod or of several. */
interface Device {
  readonly driver: string;
  readonly handle: string;
  isAttachable: boolean;
  readonly pods: Set<string>;
}

/** How often it is looked whether a volume is attached, and for how long, until the pod waits in the longer rhythm. */
const attachLookEveryMs = 250;
const attachWaitMs = 5_000;

/** What one call to publish a volume needs to know. */
interface Publication {
  readonly pod: Pod;
  readonly driver: RegisteredDriver;
  readonly spec: DriverSpec | undefined;
  readonly handle: string;
  /** The name of the persistent volume, or of the pod's own. */
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

export class CsiVolumes {
  readonly #options: CsiVolumesOptions;
  readonly #devices = new Map<string, Device>();
  readonly #work = new Map<string, Promise<unknown>>();
  readonly #blocks: BlockVolumes;

  constructor(options: CsiVolumesOptions) {
    this.#options = options;
    this.#blocks = new BlockVolumes(options);
  }

  /** For `volumesInUse`: none of these may be detached. */
  inUse(): readonly string[] {
    return [...this.#devices].filter(([, { isAttachable }]) => isAttachable).map(([name]) => name);
  }

  /** Reads from the disk what an earlier kubelet has mounted. */
  async load(): Promise<void> {
    const { folders, api } = this.#options;
    for (const driver of await readdir(csiFolder(folders)).catch(() => []))
      for (const { data } of await volumesIn(path.join(csiFolder(folders), driver))) this.#device(data);
    for (const data of await this.#blocks.onDisk()) this.#device(data.data).pods.add(data.podUid);
    for (const uid of await readdir(path.join(folders.root, 'pods')).catch(() => []))
      for (const { data } of await volumesIn(csiVolumesFolder(folders, uid)))
        if (data.volumeLifecycleMode !== 'Ephemeral') this.#device(data).pods.add(uid);
    for (const device of this.#devices.values())
      device.isAttachable = (await api.driver(device.driver))?.attachRequired ?? true;
  }

  /** @throws VolumeFailure */
  async mountInline(pod: Pod, { name, csi }: Volume): Promise<MountedVolume> {
    const { drivers, api } = this.#options;
    const source = csi!;
    const uid = pod.metadata?.uid ?? '';
    try {
      const driver = registered(drivers, source.driver, 'mounter.SetUpAt failed to get CSI client');
      const spec = await api.driver(source.driver);
      refuseMode(source.driver, spec, 'Ephemeral');
      const { nodePublishSecretRef } = source;
      return await this.#publish({
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

  /** Also a block volume, whose path is that of a device. @throws VolumeFailure */
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
      const stagingPath = await this.#stage(parts);
      try {
        refuseMode(driverName, spec, 'Persistent');
        return await this.#publish({
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

  /** Ends all that the pod has of CSI volumes. @throws when a driver refuses or is not there: it is tried again */
  async unmountPod(uid: string): Promise<void> {
    const { folders } = this.#options;
    for (const { folder, data } of await volumesIn(csiVolumesFolder(folders, uid)))
      await this.#unpublish(folder, data);
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

  /** Unstages what no pod has any more since an earlier kubelet. */
  async releaseUnused(): Promise<void> {
    let changed = false;
    for (const [name, device] of this.#devices) {
      if (device.pods.size > 0) continue;
      await this.#alone(name, () => this.#release(name, device));
      changed = true;
    }
    if (changed) await this.#options.reportInUse();
  }

  /** What the driver tells of a mounted volume; undefined when it tells nothing. */
  async usage(folder: string) {
    const data = await readVolumeData(folder);
    if (data === undefined) return undefined;
    const driver = this.#options.drivers.get(data.driverName);
    if (!(await driver.capabilities()).has(NodeCapability.volumeStats)) return undefined;
    const volumePath = path.join(folder, 'mount');
    return driver.client.nodeGetVolumeStats({ volumeId: data.volumeHandle, volumePath });
  }

  /** The file system of a volume that has grown grows too; false when the driver leaves that to nobody. */
  async expand(pod: Pod, persistent: PersistentVolume, requiredBytes: number): Promise<boolean> {
    const { driver: driverName, volumeHandle, fsType = '', nodeExpandSecretRef } = persistent.spec!.csi!;
    const { drivers, folders, api } = this.#options;
    const driver = drivers.get(driverName);
    const capabilities = await driver.capabilities();
    if (!capabilities.has(NodeCapability.expand)) return false;
    const volume = persistent.metadata?.name ?? '';
    const staged = capabilities.has(NodeCapability.stageUnstage);
    const staging = globalMount(stagingFolder(folders, driverName, volumeHandle));
    const mode = accessModeOf(persistent.spec?.accessModes ?? [], capabilities);
    const secrets = pairsOf(await api.secret(nodeExpandSecretRef));
    try {
      await driver.client.nodeExpandVolume({
        volumeId: volumeHandle,
        volumePath: path.join(csiVolumeFolder(folders, pod.metadata?.uid ?? '', volume), 'mount'),
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

  #device({ driverName, volumeHandle }: Pick<VolumeData, 'driverName' | 'volumeHandle'>): Device {
    const name = uniqueVolumeName(driverName, volumeHandle);
    let device = this.#devices.get(name);
    if (device === undefined) {
      device = { driver: driverName, handle: volumeHandle, isAttachable: false, pods: new Set() };
      this.#devices.set(name, device);
    }
    return device;
  }

  /** One after the other for each volume, however many pods have it. */
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

  /** Waits until the volume is attached to this node; answers with what the attacher has told. */
  async #attached(volume: string, { driver, handle }: Device): Promise<Readonly<Record<string, string>>> {
    const { api, clock, reportInUse } = this.#options;
    // Before anything else: what is told to be in use is not detached under a pod.
    await reportInUse();
    try {
      for (const endMs = clock.monotonic() + attachWaitMs; ; await clock.sleep(attachLookEveryMs)) {
        const isTold = await api.isToldAttached(driver, handle);
        const context = isTold ? await api.attachment(driver, handle) : undefined;
        if (context !== undefined) return context;
        if (clock.monotonic() < endMs) continue;
        if (!isTold) throw new Error('volume not attached according to node status');
        const name = attachmentName(handle, driver, api.nodeName);
        throw new Error(`volume ${handle} is not attached for volume attachment ${name}`);
      }
    } catch (error) {
      throw failure('MountVolume.WaitForAttach', volume, error);
    }
  }

  /** Where it was staged; empty when the driver has no such step. */
  async #stage({ persistent, publishContext, pod }: StageParts): Promise<string> {
    const volume = persistent.metadata?.name ?? '';
    const source = persistent.spec!.csi!;
    const { folders, drivers, api } = this.#options;
    const staging = stagingFolder(folders, source.driver, source.volumeHandle);
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
          if (!wasThere) await removeMountFolder(staging, stagingTargetPath);
          throw error;
        });
      return stagingTargetPath;
    } catch (error) {
      throw failure('MountVolume.MountDevice', volume, error);
    }
  }

  async #publish(publication: Publication): Promise<MountedVolume> {
    const { pod, driver, spec, handle, volume, readOnly, isEphemeral } = publication;
    const { folders, api } = this.#options;
    const folder = csiVolumeFolder(folders, pod.metadata?.uid ?? '', volume);
    const target = path.join(folder, 'mount');
    const capabilities = await driver.capabilities();
    const tokens = await api.tokens(pod, spec?.tokenRequests);
    const secrets = await api.secret(publication.secret);
    const inSecrets = spec?.serviceAccountTokenInSecrets ?? false;
    const wasThere = (await readVolumeData(folder)) !== undefined;
    await writeVolumeData(folder, {
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
        // What containers see already stays.
        if (!wasThere) await removeMountFolder(folder, target);
        throw error;
      });
    const fsGroup = kubeletSetsGroup({ ...publication, policy: spec?.fsGroupPolicy, capabilities });
    if (fsGroup !== undefined && !wasThere) {
      const onlyOnMismatch = pod.spec?.securityContext?.fsGroupChangePolicy === 'OnRootMismatch';
      await giveToGroup(target, { group: fsGroup, readOnly, onlyOnMismatch });
    }
    return { hostPath: target, readOnly, ...(spec?.requiresRepublish ? { isRepublished: true } : {}) };
  }

  async #unpublish(folder: string, { driverName, volumeHandle }: VolumeData): Promise<void> {
    const target = path.join(folder, 'mount');
    try {
      const { client } = this.#options.drivers.get(driverName);
      await client.nodeUnpublishVolume({ volumeId: volumeHandle, targetPath: target });
    } catch (error) {
      throw failure('UnmountVolume.TearDown', path.basename(folder), error);
    }
    await removeMountFolder(folder, target);
  }

  async #release(name: string, { driver, handle, pods }: Device): Promise<void> {
    // Another pod may have come while this one waited.
    if (pods.size > 0) return;
    const staging = stagingFolder(this.#options.folders, driver, handle);
    if ((await readVolumeData(staging)) !== undefined) {
      const target = globalMount(staging);
      try {
        const { client } = this.#options.drivers.get(driver);
        await client.nodeUnstageVolume({ volumeId: handle, stagingTargetPath: target });
      } catch (error) {
        throw failure('UnmountDevice', handle, error);
      }
      await removeMountFolder(staging, target);
    }
    await this.#blocks.release(driver, handle);
    this.#devices.delete(name);
  }
}

interface StageParts {
  readonly pod: Pod;
  readonly persistent: PersistentVolume;
  readonly publishContext: Readonly<Record<string, string>>;
}

function registered(drivers: RegisteredDrivers, name: string, where: string): RegisteredDriver {
  try {
    return drivers.get(name);
  } catch (error) {
    throw new Error(`kubernetes.io/csi: ${where}: ${criFailureText(error)}`, { cause: error });
  }
}

/** @throws Error when the driver doesn't do such volumes, or has not said so */
function refuseMode(driver: string, spec: DriverSpec | undefined, mode: 'Persistent' | 'Ephemeral'): void {
  if (spec === undefined ? mode === 'Persistent' : spec.volumeLifecycleModes?.includes(mode)) return;
  const why =
    spec === undefined
      ? 'no CSIDriver object'
      : `only supports ${JSON.stringify(spec.volumeLifecycleModes ?? []).replaceAll(',', ' ')}`;
  throw new Error(
    `kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "${mode}" not supported by driver ${driver} (${why})`,
  );
}

/** Whether the driver has removed its target or not: an empty folder and the note beside it go, a mount stays. */
export async function removeMountFolder(folder: string, target: string): Promise<void> {
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isThere) {
    if ((await mountsBelow(target)).length > 0) throw new Error(`${target} is still mounted`);
    await rmdir(target).catch(async () => rm(target));
  }
  await removeVolumeData(folder);
  await rmdir(folder).catch(() => undefined);
}

export const failure = (operation: string, volume: string, error: unknown): VolumeFailure =>
  error instanceof VolumeFailure ? error : new VolumeFailure(operation, volume, criFailureText(error), error);
