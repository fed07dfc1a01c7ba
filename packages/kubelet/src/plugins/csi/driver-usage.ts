/** How full a volume is, as its driver knows it. */
import path from 'node:path';
import { NodeCapability } from './csi-messages.ts';
import type { CsiVolumesOptions } from './csi-volumes.ts';
import { readVolumeData } from './volume-data.ts';

/** What the driver tells of a mounted volume; undefined when it tells nothing. */
export async function volumeUsage(options: CsiVolumesOptions, folder: string) {
  const data = await readVolumeData(folder);
  if (data === undefined) return undefined;
  const driver = options.drivers.get(data.driverName);
  if (!(await driver.capabilities()).has(NodeCapability.volumeStats)) return undefined;
  const volumePath = path.join(folder, 'mount');
  return driver.client.nodeGetVolumeStats({ volumeId: data.volumeHandle, volumePath });
}
