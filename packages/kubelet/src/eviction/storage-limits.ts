/** Finds pods that have exceeded their local storage limits. */
import { aggregateContainerLimits } from '@coxswain/api/core/v1/pod/pod-resources.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { canonicalQuantity } from '@coxswain/apimachinery';
import { amountIn, diskUse, type PodUse } from './pod-usage.ts';
import type { DiskLayout } from './thresholds.ts';

export interface StorageExcess {
  /** The signal under which the eviction is counted. */
  readonly signal: 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit';
  /** Upstream's message. */
  readonly message: string;
}

/** Returns why the pod must be evicted; undefined if it may stay. */
export function storageExcess(pod: Pod, use: PodUse, layout: DiskLayout): StorageExcess | undefined {
  const ofVolume = emptyDirExcess(pod, use);
  if (ofVolume !== undefined) return { signal: 'emptydirfs.limit', message: ofVolume };
  const ofPod = podExcess(pod, use);
  if (ofPod !== undefined) return { signal: 'ephemeralpodfs.limit', message: ofPod };
  const ofContainer = containerExcess(pod, use, layout);
  if (ofContainer === undefined) return undefined;
  return { signal: 'ephemeralcontainerfs.limit', message: ofContainer };
}

/** Whether the pod limits its local storage at all. */
export const hasStorageLimit = ({ spec }: Pod): boolean =>
  (spec?.volumes ?? []).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined) ||
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(
    ({ resources }) => resources?.limits?.[storage] !== undefined,
  );

const storage = 'ephemeral-storage';

function emptyDirExcess({ spec }: Pod, { volumes }: PodUse): string | undefined {
  for (const { name, emptyDir } of spec?.volumes ?? []) {
    const limit = emptyDir?.sizeLimit;
    const used = volumes.get(name);
    if (limit === undefined || limit === null || used === undefined) continue;
    const limitBytes = amountIn({ limit: String(limit) }, 'limit') ?? 0;
    if (limitBytes > 0 && used.bytes > limitBytes)
      return `Usage of EmptyDir volume ${JSON.stringify(name)} exceeds the limit "${canonicalQuantity(String(limit))}". `;
  }
  return undefined;
}

function podExcess(pod: Pod, use: PodUse): string | undefined {
  const limit = podStorageLimit(pod);
  if (limit === undefined) return undefined;
  const { bytes } = diskUse(pod, use, ['writable', 'logs', 'volumes']);
  if (bytes <= (amountIn({ limit }, 'limit') ?? 0)) return undefined;
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${canonicalQuantity(limit)}. `;
}

const podStorageLimit = ({ spec }: Pod): string | undefined =>
  spec === undefined || spec === null ? undefined : aggregateContainerLimits(spec)[storage];

function containerExcess({ spec }: Pod, use: PodUse, layout: DiskLayout): string | undefined {
  for (const { name, logs, writable } of use.containers) {
    const limits = spec?.containers.find((each) => each.name === name)?.resources?.limits;
    const limitBytes = amountIn(limits, storage) ?? 0;
    if (limitBytes === 0) continue;
    // The writable layer counts only if it is on the node's own file system.
    const usedBytes = (logs?.bytes ?? 0) + (layout === 'one' ? (writable?.bytes ?? 0) : 0);
    if (usedBytes > limitBytes)
      return `Container ${name} exceeded its local ephemeral storage limit "${canonicalQuantity(limits![storage]!)}". `;
  }
  return undefined;
}
