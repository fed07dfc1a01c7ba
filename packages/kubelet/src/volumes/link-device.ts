import { mkdir, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Creates a link to the device in the pod's folder, which is passed to the runtime. */
export async function linkDevice(folder: string, volume: string, device: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  const place = path.join(folder, volume);
  await unlink(place).catch(() => undefined);
  await symlink(device, place);
  return place;
}
