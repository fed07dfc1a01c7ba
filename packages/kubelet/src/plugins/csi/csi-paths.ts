/** The locations of CSI volumes; drivers rely on upstream's layout. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { volumeDirectory, type KubeletDirectories } from '../../pod-paths.ts';

export const csiPlugin = 'kubernetes.io/csi';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name of the VolumeAttachment that the attach-detach controller creates. */
export const attachmentName = (handle: string, driver: string, nodeName: string): string =>
  `csi-${sha256(handle + driver + nodeName)}`;

/** For a volume that lives as long as its pod. */
export const ephemeralHandle = (podUid: string, volume: string): string => `csi-${sha256(podUid + volume)}`;

/** As in `volumesInUse` and `volumesAttached` of a node's status. */
export const uniqueVolumeName = (driver: string, handle: string): string =>
  `${csiPlugin}/${driver}^${handle}`;

export const csiDirectory = ({ root }: KubeletDirectories): string => path.join(root, 'plugins', csiPlugin);

/** Contains vol_data.json and `globalmount`, where the volume is staged. */
export const stagingDirectory = (directories: KubeletDirectories, driver: string, handle: string): string =>
  path.join(csiDirectory(directories), driver, sha256(handle));

export const globalMount = (staging: string): string => path.join(staging, 'globalmount');

/** Contains vol_data.json and `mount`, which containers see. */
export const csiVolumeDirectory = (directories: KubeletDirectories, podUid: string, volume: string): string =>
  volumeDirectory(directories, podUid, csiPlugin, volume);

export const csiVolumesDirectory = (directories: KubeletDirectories, podUid: string): string =>
  path.dirname(csiVolumeDirectory(directories, podUid, 'any'));

/** For block volumes: `staging/<volume>`, `publish/<volume>/<pod>`, `<volume>/data/vol_data.json`. */
export const blockDirectory = (directories: KubeletDirectories): string =>
  path.join(csiDirectory(directories), 'volumeDevices');
