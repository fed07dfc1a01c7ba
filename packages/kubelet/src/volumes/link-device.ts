import { mkdir, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Creates a link to the device in the pod's directory, which is passed to the runtime. */
export async function linkDevice(directory: string, volume: string, device: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const place = path.join(directory, volume);
  await unlink(place).catch(() => undefined);
  await symlink(device, place);
  return place;
}
