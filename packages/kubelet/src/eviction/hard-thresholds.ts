/** What has to stay free before pods are evicted. */
import type { KubeletSettings } from '../config/kubelet-configuration.ts';

/** Evicts before the node itself runs out. */
export const hardEvictionDefault: Readonly<Record<string, string>> = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
};

/** By signal, those that are set, or the default. */
export const hardThresholdsOf = ({
  evictionHard,
  mergeDefaultEvictionSettings,
}: KubeletSettings): Readonly<Record<string, string>> => ({
  ...(evictionHard === undefined || mergeDefaultEvictionSettings ? hardEvictionDefault : {}),
  ...evictionHard,
});
