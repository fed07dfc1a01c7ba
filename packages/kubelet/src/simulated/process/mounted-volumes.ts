/** Files of a pod's volumes, as a container sees them; of the kinds whose content the API knows. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerFiles } from './container-files.ts';
import { parentOf, resolvePath } from './container-files.ts';

/** Reads ConfigMaps and Secrets; undefined when there is none of that name. */
export type ReadData = (
  resource: 'configmaps' | 'secrets',
  namespace: string,
  name: string,
) => Promise<Readonly<Record<string, Uint8Array>> | undefined>;

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];
type Items = readonly { readonly key: string; readonly path: string; readonly mode?: number }[];

/** Files that outlive a container: of its pod, and of its node. */
export interface SharedFiles {
  /** `emptyDir` */
  ofPod(volumeName: string): ContainerFiles;
  /** `hostPath` */
  readonly ofNode: ContainerFiles;
}

export async function mountVolumes(
  files: ContainerFiles,
  pod: Pod,
  container: Container,
  read: ReadData,
  shared: SharedFiles,
  nowMs: number,
): Promise<void> {
  for (const mount of container.volumeMounts ?? []) {
    const volume = pod.spec?.volumes?.find(({ name }) => name === mount.name);
    if (volume?.emptyDir || volume?.hostPath) {
      const kept = volume.hostPath ? shared.ofNode : shared.ofPod(volume.name);
      const root = resolvePath('/', volume.hostPath?.path ?? '/');
      const folder = resolvePath(root, `./${mount.subPath ?? ''}`);
      files.mount(resolvePath('/', mount.mountPath), kept, folder, nowMs);
      continue;
    }
    const content = volume === undefined ? {} : await contentOf(volume, pod, read);
    if (mount.subPath) {
      const bytes = content[mount.subPath];
      files.makeDirectories(parentOf(resolvePath('/', mount.mountPath)), nowMs);
      if (bytes !== undefined) files.write(resolvePath('/', mount.mountPath), bytes, nowMs);
      continue;
    }
    const folder = resolvePath('/', mount.mountPath);
    files.makeDirectories(folder, nowMs);
    for (const [name, bytes] of Object.entries(content)) {
      const path = resolvePath(folder, name);
      files.makeDirectories(parentOf(path), nowMs);
      files.write(path, bytes, nowMs);
    }
  }
}

type Content = Readonly<Record<string, Uint8Array>>;

async function contentOf(volume: Volume, pod: Pod, read: ReadData): Promise<Content> {
  const namespace = pod.metadata?.namespace ?? '';
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap?.name)
    return chosen(await read('configmaps', namespace, configMap.name), configMap.items ?? []);
  if (secret?.secretName)
    return chosen(await read('secrets', namespace, secret.secretName), secret.items ?? []);
  if (downwardAPI) return fieldsOf(pod, downwardAPI.items ?? []);
  let all: Content = {};
  for (const source of projected?.sources ?? []) {
    if (source.configMap?.name)
      all = {
        ...all,
        ...chosen(await read('configmaps', namespace, source.configMap.name), source.configMap.items ?? []),
      };
    if (source.secret?.name)
      all = {
        ...all,
        ...chosen(await read('secrets', namespace, source.secret.name), source.secret.items ?? []),
      };
    if (source.downwardAPI) all = { ...all, ...fieldsOf(pod, source.downwardAPI.items ?? []) };
  }
  return all;
}

function chosen(data: Content | undefined, items: Items): Content {
  if (data === undefined || items.length === 0) return data ?? {};
  return Object.fromEntries(
    items.flatMap(({ key, path }) => (data[key] === undefined ? [] : [[path, data[key]]])),
  );
}

function fieldsOf(
  pod: Pod,
  items: readonly { readonly path: string; readonly fieldRef?: { readonly fieldPath: string } }[],
): Content {
  const encoder = new TextEncoder();
  return Object.fromEntries(
    items.map(({ path, fieldRef }) => [path, encoder.encode(podField(pod, fieldRef?.fieldPath ?? ''))]),
  );
}

/** A field of the downward API; all labels or annotations as lines of `key="value"`. */
export function podField(pod: Pod, fieldPath: string): string {
  const { metadata, spec, status } = pod;
  const one = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldPath);
  if (one !== null) return metadata?.[one[1] as 'labels']?.[one[2]!] ?? '';
  const lines = (values: Readonly<Record<string, string>> = {}) =>
    Object.entries(values)
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join('\n');
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata?.name,
    'metadata.namespace': metadata?.namespace,
    'metadata.uid': metadata?.uid,
    'metadata.labels': lines(metadata?.labels),
    'metadata.annotations': lines(metadata?.annotations),
    'spec.nodeName': spec?.nodeName,
    'spec.serviceAccountName': spec?.serviceAccountName,
    'status.podIP': status?.podIP,
    'status.hostIP': status?.hostIP,
  };
  return fields[fieldPath] ?? '';
}
