import { mkdir, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';

/** A link within the pod's folder, which is what the runtime is given. */
export async function linkDevice(folder: string, volume: string, device: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  const place = path.join(folder, volume);
  await unlink(place).catch(() => undefined);
  await symlink(device, place);
  return place;
}
