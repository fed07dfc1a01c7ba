/** The hard eviction thresholds: what must stay available. */
import type { KubeletSettings } from '../config/kubelet-configuration.ts';

/** Evicts before the node itself runs out. */
export const hardEvictionDefault: Readonly<Record<string, string>> = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
};

/** The configured thresholds by signal, or the defaults. */
export const hardThresholdsOf = ({
  evictionHard,
  mergeDefaultEvictionSettings,
}: KubeletSettings): Readonly<Record<string, string>> => ({
  ...(evictionHard === undefined || mergeDefaultEvictionSettings ? hardEvictionDefault : {}),
  ...evictionHard,
});
