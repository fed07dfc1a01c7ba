/** Contents of a pod's volumes, as a container sees them, for the types whose contents the API knows. */
import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import type { Payload } from '@coxswain/kubelet/volumes/atomic-writer.ts';
import {
  comesFromApi,
  volumePayload,
  type ContentSources,
} from '@coxswain/kubelet/volumes/volume-content.ts';
import { parentOf, resolvePath, type ContainerFiles } from './container-files.ts';

/** Files that outlive a container: those of its pod, of its claims and of its node. */
export interface SharedFiles {
  /** `emptyDir` */
  ofPod(volumeName: string): ContainerFiles;
  /** Those of the PersistentVolume that is bound to a claim. */
  ofClaim?(namespace: string, name: string): Promise<ContainerFiles>;
  /** `hostPath` */
  readonly ofNode: ContainerFiles;
}

export async function mountVolumes(
  files: ContainerFiles,
  pod: Pod,
  container: Container,
  sources: ContentSources,
  shared: SharedFiles,
  nowMs: number,
): Promise<void> {
  for (const mount of container.volumeMounts ?? []) {
    const volume = pod.spec?.volumes?.find(({ name }) => name === mount.name);
    const kept = volume && (await keptFiles(volume, pod, shared));
    if (kept !== undefined) {
      const root = resolvePath('/', volume?.hostPath?.path ?? '/');
      const directory = resolvePath(root, `./${mount.subPath ?? ''}`);
      files.mount(resolvePath('/', mount.mountPath), kept, directory, nowMs);
      const { fsGroup } = pod.spec?.securityContext ?? {};
      if (!volume?.hostPath)
        kept.change('/', fsGroup ? { mode: 0o2777, gid: Number(fsGroup) } : { mode: 0o777 });
      continue;
    }
    const content = volume === undefined ? nothing : await contentOf(volume, pod, sources);
    if (mount.subPath) {
      const file = content.get(mount.subPath);
      files.makeDirectories(parentOf(resolvePath('/', mount.mountPath)), nowMs);
      if (file !== undefined) files.write(resolvePath('/', mount.mountPath), file.bytes, nowMs, file.mode);
      continue;
    }
    const directory = resolvePath('/', mount.mountPath);
    files.makeDirectories(directory, nowMs);
    for (const [name, { bytes, mode }] of content) {
      const path = resolvePath(directory, name);
      files.makeDirectories(parentOf(path), nowMs);
      files.write(path, bytes, nowMs, mode);
    }
  }
}

/** Files that a container shares with others; undefined if it has a copy of its own. */
async function keptFiles(volume: Volume, pod: Pod, shared: SharedFiles): Promise<ContainerFiles | undefined> {
  if (volume.hostPath) return shared.ofNode;
  const claim = volumeClaimName(pod, volume);
  if (claim !== undefined) return shared.ofClaim?.(pod.metadata?.namespace ?? '', claim);
  return volume.emptyDir ? shared.ofPod(volume.name) : undefined;
}

/** A volume whose contents come from the API. References to objects that no longer exist leave it empty. */
async function contentOf(volume: Volume, pod: Pod, sources: ContentSources): Promise<Payload> {
  return comesFromApi(volume) ? volumePayload(pod, volume, sources).catch(() => nothing) : nothing;
}

const nothing: Payload = new Map();
