/** Metrics of the usage of persistent volume claims. */
import type { Family } from './plain-exposition.ts';
import type { VolumeUsage } from '../volumes/volume-usage.ts';

const figures = [
  ['capacity_bytes', 'Capacity in bytes of the volume', 'capacityBytes'],
  ['available_bytes', 'Number of available bytes in the volume', 'availableBytes'],
  ['used_bytes', 'Number of used bytes in the volume', 'usedBytes'],
  ['inodes', 'Maximum number of inodes in the volume', 'inodes'],
  ['inodes_free', 'Number of free inodes in the volume', 'inodesFree'],
  ['inodes_used', 'Number of used inodes in the volume', 'inodesUsed'],
] as const;

/** A claim used by several pods is reported once. */
export function volumeFamilies(usages: readonly VolumeUsage[]): readonly Family[] {
  const byClaim = new Map(
    usages.flatMap((usage) =>
      usage.pvcRef === undefined ? [] : [[`${usage.pvcRef.namespace}/${usage.pvcRef.name}`, usage]],
    ),
  );
  return figures.map(([name, help, field]) => ({
    name: `kubelet_volume_stats_${name}`,
    help: `[ALPHA] ${help}`,
    type: 'gauge',
    values: [...byClaim.values()].map(({ pvcRef, ...usage }) => [
      { namespace: pvcRef!.namespace, persistentvolumeclaim: pvcRef!.name },
      usage[field] ?? 0,
    ]),
  }));
}
