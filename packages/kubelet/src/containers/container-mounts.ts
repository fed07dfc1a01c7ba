/** The node's files that a container sees: volumes, its own /etc/hosts, and the file for its termination message. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { MountPropagation, type ContainerMount } from '../cri/container-messages.ts';
import type { MountedVolume } from '../volumes/mounted-volume.ts';
import { bindSubPath, refuseEscape } from '../volumes/sub-path.ts';
import { expandVariables } from '../pod/expand-variables.ts';
import { hostsFileText, nodeHostsFileText } from './hosts-file.ts';
import { podHostname } from './pod-hostname.ts';
import { containerDirectory, hostsFile, podDirectory, type KubeletDirectories } from '../pod-paths.ts';

export interface MountFacts {
  readonly directories: KubeletDirectories;
  readonly clusterDomain: string;
  readonly podIps: readonly string[];
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  readonly environment: ReadonlyMap<string, string>;
  /** For image volumes: the runtime's names of the images. */
  readonly images: ReadonlyMap<string, string>;
}

const hostsPath = '/etc/hosts';

/** @throws Error if a volume or its subpath can't be mounted */
export async function containerMounts(
  pod: Pod,
  container: Container,
  facts: MountFacts,
): Promise<ContainerMount[]> {
  const mounts: ContainerMount[] = [];
  for (const [index, mount] of (container.volumeMounts ?? []).entries())
    mounts.push(await volumeMount(pod, container, index, mount, facts));
  const hasHosts = container.volumeMounts?.some(({ mountPath }) => mountPath === hostsPath);
  if (!hasHosts && (facts.podIps.length > 0 || pod.spec?.hostNetwork))
    mounts.push(await hostsMount(pod, facts));
  const last = await terminationMount(pod, container, facts.directories);
  if (last !== undefined) mounts.push(last);
  return mounts;
}

type VolumeMount = NonNullable<Container['volumeMounts']>[number];

async function volumeMount(
  pod: Pod,
  container: Container,
  index: number,
  mount: VolumeMount,
  facts: MountFacts,
): Promise<ContainerMount> {
  const { name, mountPath, readOnly = false, mountPropagation, recursiveReadOnly } = mount;
  const subPath = subPathOf(mount, facts.environment);
  const shared = {
    containerPath: mountPath.startsWith('/') ? mountPath : `/${mountPath}`,
    propagation: propagations[mountPropagation ?? 'None'] ?? MountPropagation.private,
    recursiveReadOnly: recursiveReadOnly === 'Enabled',
  };
  const image = facts.images.get(name);
  if (image !== undefined) return { ...shared, readonly: true, image: { image }, imageSubPath: subPath };
  const volume = facts.volumes.get(name);
  if (volume === undefined)
    throw new Error(`cannot find volume "${name}" to mount into container "${container.name}"`);
  const hostPath =
    subPath === '' ? volume.hostPath : await partOf(volume, pod, container, index, mount, subPath, facts);
  return { ...shared, hostPath, readonly: readOnly || volume.readOnly };
}

const propagations: Readonly<Record<string, number>> = {
  None: MountPropagation.private,
  HostToContainer: MountPropagation.hostToContainer,
  Bidirectional: MountPropagation.bidirectional,
};

/** @throws Error for an undefined variable, and for paths that lead out of the volume */
function subPathOf(
  { subPath = '', subPathExpr }: VolumeMount,
  environment: ReadonlyMap<string, string>,
): string {
  if (!subPathExpr) {
    refuseEscape(subPath);
    return subPath;
  }
  const missing = new Set<string>();
  const expanded = expandVariables(subPathExpr, (name) => {
    const value = environment.get(name);
    if (!value) missing.add(name);
    return value ?? '';
  });
  if (missing.size > 0) throw new Error(`missing value for ${[...missing].sort().join(', ')}`);
  refuseEscape(expanded);
  return expanded;
}

async function partOf(
  { hostPath }: MountedVolume,
  pod: Pod,
  container: Container,
  index: number,
  { name }: VolumeMount,
  subPath: string,
  { directories }: MountFacts,
): Promise<string> {
  const place = path.join(
    podDirectory(directories, pod.metadata?.uid ?? ''),
    'volume-subpaths',
    name,
    container.name,
  );
  const target = path.join(place, String(index));
  try {
    await bindSubPath({ volume: hostPath, subPath, target });
  } catch (error) {
    throw new Error(`failed to prepare subPath for volumeMount "${name}" of container "${container.name}"`, {
      cause: error,
    });
  }
  return target;
}

async function hostsMount(
  pod: Pod,
  { directories, podIps, clusterDomain }: MountFacts,
): Promise<ContainerMount> {
  const file = hostsFile(directories, pod.metadata?.uid ?? '');
  const text = pod.spec?.hostNetwork
    ? nodeHostsFileText(pod, await readFile(hostsPath, 'utf8'))
    : hostsFileText(pod, podIps, podHostname(pod, clusterDomain));
  await writeFile(file, text, { mode: 0o644 });
  await chmod(file, 0o644);
  return { containerPath: hostsPath, hostPath: file, selinuxRelabel: false };
}

async function terminationMount(
  pod: Pod,
  { name, terminationMessagePath = '' }: Container,
  directories: KubeletDirectories,
): Promise<ContainerMount | undefined> {
  if (terminationMessagePath === '') return undefined;
  const directory = containerDirectory(directories, pod.metadata?.uid ?? '', name);
  await mkdir(directory, { recursive: true, mode: 0o750 });
  // Each run of the container has its own file.
  const file = path.join(directory, randomBytes(4).toString('hex'));
  await writeFile(file, '', { mode: 0o600 });
  await chmod(file, 0o666);
  return { containerPath: terminationMessagePath, hostPath: file };
}
