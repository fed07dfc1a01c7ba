/** Where a driver mounts a volume, with the note beside it. */
import { lstat, rm, rmdir } from 'node:fs/promises';
import { mountsBelow } from '../../volumes/kernel-mounts.ts';
import { removeVolumeData } from './volume-data.ts';

/** Whether the driver has removed its target or not: an empty folder and the note beside it go, a mount stays. */
export async function removeMountFolder(folder: string, target: string): Promise<void> {
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isThere) {
    if ((await mountsBelow(target)).length > 0) throw new Error(`${target} is still mounted`);
    await rmdir(target).catch(async () => rm(target));
  }
  await removeVolumeData(folder);
  await rmdir(folder).catch(() => undefined);
}
