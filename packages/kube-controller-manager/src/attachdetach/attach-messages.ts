/** Messages of events about the volumes of pods. */

import type { Pod } from '../objects.ts';
import type { AttachableVolume } from './attachable-volume.ts';

/** Ends with a space, as upstream. */
export const attachSucceeded = ({ volumeName }: AttachableVolume): string =>
  `AttachVolume.Attach succeeded for volume "${volumeName}" `;

export const attachFailed = ({ volumeName }: AttachableVolume, message: string): string =>
  `AttachVolume.Attach failed for volume "${volumeName}" : ${message}`;

/** @param users pods that keep the volume on other nodes; only those in the pod's own namespace are named */
export function multiAttachError({ volumeName }: AttachableVolume, pod: Pod, users: readonly Pod[]): string {
  const prefix = `Multi-Attach error for volume "${volumeName}"`;
  if (users.length === 0)
    return `${prefix} Volume is already exclusively attached to one node and can't be attached to another`;
  const isNear = ({ metadata }: Pod) => metadata.namespace === pod.metadata.namespace;
  const near = users.filter(isNear).map(({ metadata }) => metadata.name);
  const farCount = users.length - near.length;
  const far = `${farCount} pod(s) in different namespaces`;
  if (near.length === 0) return `${prefix} Volume is already used by ${far}`;
  const named = `${prefix} Volume is already used by pod(s) ${near.join(', ')}`;
  return farCount === 0 ? named : `${named} and ${far}`;
}
