/** The directory in which a driver mounts a volume, with its data file. */
import { lstat, rm, rmdir } from 'node:fs/promises';
import { mountsBelow } from '../../volumes/kernel-mounts.ts';
import { removeVolumeData } from './volume-data.ts';

/** Removes an empty directory and the data file, whether or not the driver has removed its target; a mount remains. */
export async function removeMountDirectory(directory: string, target: string): Promise<void> {
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isThere) {
    if ((await mountsBelow(target)).length > 0) throw new Error(`${target} is still mounted`);
    await rmdir(target).catch(async () => rm(target));
  }
  await removeVolumeData(directory);
  await rmdir(directory).catch(() => undefined);
}
