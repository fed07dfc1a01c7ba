/** The usage of a volume as reported by its driver. */
import path from 'node:path';
import type { VolumeAmounts } from '../../volumes/mounted-volume.ts';
import { NodeCapability, UsageUnit } from './csi-messages.ts';
import type { CsiVolumesOptions } from './csi-volumes-options.ts';
import { readVolumeData } from './volume-data.ts';

/** Returns the driver's figures for a mounted volume; undefined if it reports none. */
export async function volumeUsage(
  options: CsiVolumesOptions,
  directory: string,
): Promise<VolumeAmounts | undefined> {
  const data = await readVolumeData(directory);
  if (data === undefined) return undefined;
  const driver = options.drivers.get(data.driverName);
  if (!(await driver.capabilities()).has(NodeCapability.volumeStats)) return undefined;
  const volumePath = path.join(directory, 'mount');
  const { usage } = await driver.client.nodeGetVolumeStats({ volumeId: data.volumeHandle, volumePath });
  const bytes = usage.find(({ unit }) => unit === UsageUnit.bytes);
  const inodes = usage.find(({ unit }) => unit === UsageUnit.inodes);
  return {
    ...(bytes && { availableBytes: bytes.available, capacityBytes: bytes.total, usedBytes: bytes.used }),
    ...(inodes && { inodesFree: inodes.available, inodes: inodes.total, inodesUsed: inodes.used }),
  };
}
