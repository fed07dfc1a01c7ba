/** Data about a mounted volume, stored next to the mount so that a later kubelet can unmount it. */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Upstream's `vol_data.json`: the keys are a contract with other kubelets. */
export interface VolumeData {
  readonly driverName: string;
  readonly volumeHandle: string;
  readonly specVolID?: string;
  readonly nodeName?: string;
  readonly attachmentID?: string;
  readonly volumeLifecycleMode?: 'Persistent' | 'Ephemeral';
}

const fileName = 'vol_data.json';

export async function writeVolumeData(directory: string, data: VolumeData): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const sorted = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(path.join(directory, fileName), `${JSON.stringify(sorted)}\n`, { mode: 0o644 });
}

/** Undefined if it is missing or unreadable. */
export async function readVolumeData(directory: string): Promise<VolumeData | undefined> {
  try {
    const data = JSON.parse(await readFile(path.join(directory, fileName), 'utf8')) as Partial<VolumeData>;
    const { driverName, volumeHandle } = data;
    if (typeof driverName !== 'string' || typeof volumeHandle !== 'string') return undefined;
    return { ...data, driverName, volumeHandle };
  } catch {
    return undefined;
  }
}

export const removeVolumeData = (directory: string): Promise<void> =>
  rm(path.join(directory, fileName), { force: true });

/** Returns the directories in `parent` that contain a volume. */
export async function volumesIn(
  parent: string,
): Promise<readonly { readonly directory: string; readonly data: VolumeData }[]> {
  const found = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const directory = path.join(parent, name);
    const data = await readVolumeData(directory);
    if (data !== undefined) found.push({ directory, data });
  }
  return found;
}
