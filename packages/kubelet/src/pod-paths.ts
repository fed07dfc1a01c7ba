/** Where the kubelet stores a pod's files; other programs rely on upstream's layout. */
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export interface KubeletDirectories {
  /** `/var/lib/kubelet` */
  readonly root: string;
  /** `/var/log/pods` */
  readonly podLogs: string;
  /** `/var/log/containers`: links to the logs, named by pod and container. */
  readonly containerLogs: string;
}

export const podDirectory = ({ root }: KubeletDirectories, uid: string): string =>
  path.join(root, 'pods', uid);

export const volumesDirectory = (directories: KubeletDirectories, uid: string): string =>
  path.join(podDirectory(directories, uid), 'volumes');

/** @param plugin as in `kubernetes.io/empty-dir` */
export const volumeDirectory = (
  directories: KubeletDirectories,
  uid: string,
  plugin: string,
  volume: string,
): string => path.join(volumesDirectory(directories, uid), plugin.replaceAll('/', '~'), volume);

/** Contains a link to the device for each block volume of the pod. */
export const podDevicesDirectory = (
  directories: KubeletDirectories,
  podUid: string,
  plugin: string,
): string => path.join(podDirectory(directories, podUid), 'volumeDevices', plugin.replaceAll('/', '~'));

/** The directory of termination messages. */
export const containerDirectory = (directories: KubeletDirectories, uid: string, container: string): string =>
  path.join(podDirectory(directories, uid), 'containers', container);

export const hostsFile = (directories: KubeletDirectories, uid: string): string =>
  path.join(podDirectory(directories, uid), 'etc-hosts');

export const podLogDirectory = ({ podLogs }: KubeletDirectories, { metadata }: Pod): string =>
  path.join(podLogs, `${metadata?.namespace}_${metadata?.name}_${metadata?.uid}`);

/** Relative to the pod's log directory. */
export const containerLogPath = (container: string, restarts: number): string =>
  `${container}/${restarts}.log`;

export const containerLogLink = (
  { containerLogs }: KubeletDirectories,
  { metadata }: Pod,
  container: string,
  id: string,
): string => path.join(containerLogs, `${metadata?.name}_${metadata?.namespace}_${container}-${id}.log`);
