/** Where the kubelet stores a pod's files; other programs rely on upstream's layout. */
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export interface KubeletFolders {
  /** `/var/lib/kubelet` */
  readonly root: string;
  /** `/var/log/pods` */
  readonly podLogs: string;
  /** `/var/log/containers`: links to the logs, named by pod and container. */
  readonly containerLogs: string;
}

export const podFolder = ({ root }: KubeletFolders, uid: string): string => path.join(root, 'pods', uid);

export const volumesFolder = (folders: KubeletFolders, uid: string): string =>
  path.join(podFolder(folders, uid), 'volumes');

/** @param plugin as in `kubernetes.io/empty-dir` */
export const volumeFolder = (folders: KubeletFolders, uid: string, plugin: string, volume: string): string =>
  path.join(volumesFolder(folders, uid), plugin.replaceAll('/', '~'), volume);

/** Contains a link to the device for each block volume of the pod. */
export const podDevicesFolder = (folders: KubeletFolders, podUid: string, plugin: string): string =>
  path.join(podFolder(folders, podUid), 'volumeDevices', plugin.replaceAll('/', '~'));

/** The folder of termination messages. */
export const containerFolder = (folders: KubeletFolders, uid: string, container: string): string =>
  path.join(podFolder(folders, uid), 'containers', container);

export const hostsFile = (folders: KubeletFolders, uid: string): string =>
  path.join(podFolder(folders, uid), 'etc-hosts');

export const podLogFolder = ({ podLogs }: KubeletFolders, { metadata }: Pod): string =>
  path.join(podLogs, `${metadata?.namespace}_${metadata?.name}_${metadata?.uid}`);

/** Relative to the pod's log folder. */
export const containerLogPath = (container: string, restarts: number): string =>
  `${container}/${restarts}.log`;

export const containerLogLink = (
  { containerLogs }: KubeletFolders,
  { metadata }: Pod,
  container: string,
  id: string,
): string => path.join(containerLogs, `${metadata?.name}_${metadata?.namespace}_${container}-${id}.log`);
