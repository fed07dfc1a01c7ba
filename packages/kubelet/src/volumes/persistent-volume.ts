/** Mounts the volume that a claim is bound to, or a network share. */
import { mkdir, stat } from 'node:fs/promises';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { podDevicesDirectory, volumeDirectory, type KubeletDirectories } from '../pod-paths.ts';
import { linkDevice } from './link-device.ts';
import { expandIfGrown } from './expand-volume.ts';
import { giveToPodGroup } from './group-ownership.ts';
import { prepareHostPath } from './host-path.ts';
import { mountBind, mountNfs, mountsBelow } from './kernel-mounts.ts';
import type { VolumeContext } from './volume-context.ts';
import type { MountedVolume } from './mounted-volume.ts';

/** @throws Error with the reason, which may be temporary */
export async function mountClaimed(
  context: VolumeContext,
  pod: Pod,
  claimName: string,
  readOnly: boolean,
): Promise<MountedVolume> {
  const { directories, csi } = context;
  const { uid = '' } = pod.metadata ?? {};
  const { claim, persistent } = await boundVolume(context, pod, claimName);
  const { spec } = persistent;
  const name = persistent.metadata?.name ?? '';
  if (spec?.csi && csi) {
    const mounted = await csi.mountPersistent(pod, persistent, readOnly);
    if (mounted.isDevice) return mounted;
    await expandIfGrown(context, pod, claim, persistent);
    return { ...mounted, claim: claimName };
  }
  if (spec?.local) return mountLocal(directories, pod, persistent, readOnly);
  if (spec?.volumeMode === 'Block')
    throw new Error(`block volumes of kind ${kindOf(spec)} are not implemented`);
  if (spec?.hostPath) {
    await prepareHostPath(spec.hostPath.path, spec.hostPath.type ?? '');
    return { hostPath: spec.hostPath.path, readOnly };
  }
  if (spec?.nfs) {
    const source = { ...spec.nfs, readOnly: readOnly || (spec.nfs.readOnly ?? false) };
    return mountShare(directories, uid, name, source, spec.mountOptions ?? []);
  }
  throw new Error(`persistent volumes of kind ${kindOf(spec)} are not implemented`);
}

/** Expands the volume while it is mounted. @throws VolumeFailure */
export async function growClaimed(context: VolumeContext, pod: Pod, claimName: string): Promise<void> {
  const { claim, persistent } = await boundVolume(context, pod, claimName);
  await expandIfGrown(context, pod, claim, persistent);
}

async function boundVolume({ sources }: VolumeContext, { metadata }: Pod, claimName: string) {
  const namespace = metadata?.namespace ?? '';
  const claim = await sources.claim(namespace, claimName);
  const name = claim.spec?.volumeName;
  if (!name || claim.status?.phase !== 'Bound')
    throw new Error(`failed to fetch PVC from API server: PVC ${namespace}/${claimName} is not bound`);
  return { claim, persistent: await sources.persistentVolume(name) };
}

/** The pod's fsGroup is not applied, since the server manages ownership. */
export async function mountShare(
  directories: KubeletDirectories,
  podUid: string,
  volume: string,
  { server, path, readOnly = false }: NonNullable<Volume['nfs']>,
  mountOptions: readonly string[] = [],
): Promise<MountedVolume> {
  const directory = volumeDirectory(directories, podUid, 'kubernetes.io/nfs', volume);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const host = server.includes(':') && !server.startsWith('[') ? `[${server}]` : server;
  const options = [...(readOnly ? ['ro'] : []), ...mountOptions];
  if ((await mountsBelow(directory)).length === 0) await mountNfs(`${host}:${path}`, directory, options);
  return { hostPath: directory, readOnly };
}

async function mountLocal(
  directories: KubeletDirectories,
  pod: Pod,
  { metadata, spec }: PersistentVolume,
  readOnly: boolean,
): Promise<MountedVolume> {
  const uid = pod.metadata?.uid ?? '';
  const volume = metadata?.name ?? '';
  const source = spec!.local!.path;
  const info = await stat(source).catch(() => {
    throw new Error(`path "${source}" does not exist`);
  });
  if (spec?.volumeMode === 'Block') {
    if (!info.isBlockDevice()) throw new Error(`path "${source}" is not a block device`);
    const links = podDevicesDirectory(directories, uid, localPlugin);
    return { hostPath: await linkDevice(links, volume, source), readOnly, isDevice: true };
  }
  if (info.isBlockDevice())
    throw new Error(`file systems on local block devices are not implemented: ${source}`);
  const directory = volumeDirectory(directories, uid, localPlugin, volume);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  if ((await mountsBelow(directory)).length === 0) await mountBind(source, directory, readOnly ? ['ro'] : []);
  if (!readOnly) await giveToPodGroup(pod, directory, false, true);
  return { hostPath: directory, readOnly };
}

const localPlugin = 'kubernetes.io/local-volume';

const kindOf = (spec: object | undefined): string =>
  Object.keys(spec ?? {}).find((key) => volumeKinds.has(key)) ?? 'its kind';

const volumeKinds = new Set([
  'csi',
  'hostPath',
  'nfs',
  'iscsi',
  'fc',
  'rbd',
  'cephfs',
  'awsElasticBlockStore',
  'gcePersistentDisk',
  'azureDisk',
  'azureFile',
]);
