/** Mounts one volume of a pod on the node; each type has its own method, and repeating it is harmless. */
import { chmod, mkdir } from 'node:fs/promises';
import { aggregateContainerLimits } from '@coxswain/api/core/v1/pod/pod-resources.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { parseQuantity, quantityValue } from '@coxswain/apimachinery';
import { bytesOfAmount } from '../resources/linux-resources.ts';
import { volumeDirectory } from '../pod-paths.ts';
import { payloadDigest, writeAtomically, type Payload } from './atomic-writer.ts';
import { giveToPodGroup } from './group-ownership.ts';
import { prepareHostPath } from './host-path.ts';
import { mountHugepages, mountTmpfs, mountsBelow } from './kernel-mounts.ts';
import { mountClaimed, mountShare } from './persistent-volume.ts';
import { volumePayload, type ContentSources } from './volume-content.ts';
import type { MountedVolume } from './mounted-volume.ts';
import type { VolumeContext } from './volume-context.ts';

/**
 * @param content the contents of an API volume, if already read
 * @throws Error with the reason, which may be temporary
 */
export async function setUpVolume(
  context: VolumeContext,
  pod: Pod,
  volume: Volume,
  before: MountedVolume | undefined,
  content?: Payload,
): Promise<MountedVolume> {
  if (volume.emptyDir) return before ?? emptyDirectory(context, pod, volume);
  if (volume.hostPath) {
    await prepareHostPath(volume.hostPath.path, volume.hostPath.type ?? '');
    return { hostPath: volume.hostPath.path, readOnly: false };
  }
  const plugin = contentPlugins.find(({ field }) => volume[field]);
  if (plugin !== undefined) {
    const payload = content ?? (await volumePayload(pod, volume, context.sources));
    return apiContent(context, pod, volume, plugin, before, payload);
  }
  if (volume.persistentVolumeClaim) {
    const { claimName, readOnly = false } = volume.persistentVolumeClaim;
    if (before !== undefined && !before.isRepublished) return before;
    return mountClaimed(context, pod, claimName, readOnly);
  }
  if (volume.ephemeral)
    return before ?? mountClaimed(context, pod, `${pod.metadata?.name}-${volume.name}`, false);
  if (volume.nfs)
    return before ?? mountShare(context.directories, pod.metadata?.uid ?? '', volume.name, volume.nfs);
  if (volume.csi && context.csi) return context.csi.mountInline(pod, volume);
  const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'unknown';
  throw new Error(`volumes of kind ${kind} are not implemented`);
}

interface ContentPlugin {
  readonly field: 'configMap' | 'secret' | 'downwardAPI' | 'projected';
  readonly name: string;
  /** Whether its contents must never reach a disk. */
  readonly inMemory: boolean;
}

const contentPlugins: readonly ContentPlugin[] = [
  { field: 'configMap', name: 'kubernetes.io/configmap', inMemory: false },
  { field: 'secret', name: 'kubernetes.io/secret', inMemory: true },
  { field: 'downwardAPI', name: 'kubernetes.io/downward-api', inMemory: false },
  { field: 'projected', name: 'kubernetes.io/projected', inMemory: true },
];

async function apiContent(
  { directories, sources, now }: VolumeContext,
  pod: Pod,
  volume: Volume,
  { name, inMemory }: ContentPlugin,
  before: MountedVolume | undefined,
  payload: Payload,
): Promise<MountedVolume> {
  const digest = payloadDigest(payload);
  const directory = volumeDirectory(directories, pod.metadata?.uid ?? '', name, volume.name);
  if (before?.digest === digest) return before;
  if (before === undefined)
    await makeDirectory(directory, inMemory ? memoryOptions(pod, sources, undefined) : undefined);
  await writeAtomically(directory, payload, now(), (version) => giveToPodGroup(pod, version, true));
  return { hostPath: directory, readOnly: true, digest };
}

async function emptyDirectory(
  { directories, sources }: VolumeContext,
  pod: Pod,
  volume: Volume,
): Promise<MountedVolume> {
  const { medium = '', sizeLimit } = volume.emptyDir!;
  const directory = volumeDirectory(
    directories,
    pod.metadata?.uid ?? '',
    'kubernetes.io/empty-dir',
    volume.name,
  );
  if (medium === 'Memory') {
    const limit =
      sizeLimit === undefined || sizeLimit === null ? undefined : quantityValue(parseQuantity(sizeLimit));
    await makeDirectory(directory, memoryOptions(pod, sources, limit));
  } else if (medium.startsWith('HugePages')) {
    await mkdir(directory, { recursive: true, mode: 0o750 });
    const pageSize = medium === 'HugePages' ? hugepageSizeOf(pod) : medium.slice('HugePages-'.length);
    if ((await mountsBelow(directory)).length === 0)
      await mountHugepages(directory, pageSize.replace(/i$/, ''));
  } else if (medium === '') await makeDirectory(directory, undefined);
  else throw new Error(`unknown storage medium "${medium}"`);
  await chmod(directory, 0o777);
  await giveToPodGroup(pod, directory, false);
  return { hostPath: directory, readOnly: false };
}

/** @param memory options of a file system in memory; without them, a plain directory is created */
async function makeDirectory(directory: string, memory: readonly string[] | undefined): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  await chmod(directory, 0o777);
  if (memory === undefined || (await mountsBelow(directory)).length > 0) return;
  await mountTmpfs(directory, memory);
  await chmod(directory, 0o777);
}

/** Limited to the memory that the pod may use. */
function memoryOptions(pod: Pod, sources: ContentSources, limitBytes: number | undefined): string[] {
  const limits = { ...aggregateContainerLimits(pod.spec!), ...pod.spec?.resources?.limits };
  const bounds = [limitBytes, bytesOfAmount(sources.facts(pod).allocatable), bytesOfAmount(limits)];
  const size = Math.min(...bounds.filter((bytes) => bytes !== undefined && bytes > 0).map(Number));
  return Number.isFinite(size) ? [`size=${size}`] : [];
}

function hugepageSizeOf({ spec }: Pod): string {
  const sizes = (spec?.containers ?? []).flatMap(({ resources }) => Object.keys(resources?.requests ?? {}));
  const distinct = new Set(sizes.filter((name) => name.startsWith('hugepages-')));
  const [only] = distinct;
  if (distinct.size > 1)
    throw new Error("medium: HugePages can't be used if container requests multiple huge page sizes");
  if (only === undefined)
    throw new Error(
      'medium HugePages: hugePages storage requested, but there is no resource request for huge pages',
    );
  return only.slice('hugepages-'.length);
}
