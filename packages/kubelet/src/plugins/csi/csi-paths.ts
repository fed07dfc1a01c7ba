/** The locations of CSI volumes; drivers rely on upstream's layout. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { volumeFolder, type KubeletFolders } from '../../pod-paths.ts';

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

export const csiFolder = ({ root }: KubeletFolders): string => path.join(root, 'plugins', csiPlugin);

/** Contains vol_data.json and `globalmount`, where the volume is staged. */
export const stagingFolder = (folders: KubeletFolders, driver: string, handle: string): string =>
  path.join(csiFolder(folders), driver, sha256(handle));

export const globalMount = (staging: string): string => path.join(staging, 'globalmount');

/** Contains vol_data.json and `mount`, which containers see. */
export const csiVolumeFolder = (folders: KubeletFolders, podUid: string, volume: string): string =>
  volumeFolder(folders, podUid, csiPlugin, volume);

export const csiVolumesFolder = (folders: KubeletFolders, podUid: string): string =>
  path.dirname(csiVolumeFolder(folders, podUid, 'any'));

/** For block volumes: `staging/<volume>`, `publish/<volume>/<pod>`, `<volume>/data/vol_data.json`. */
export const blockFolder = (folders: KubeletFolders): string =>
  path.join(csiFolder(folders), 'volumeDevices');
