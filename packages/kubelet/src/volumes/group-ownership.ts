/** Applies a pod's fsGroup to a volume. */
import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

const readWrite = 0o660;
const readOnlyBits = 0o440;
const executeBits = 0o110;
const setGroupId = 0o2000;

export interface GroupOwnership {
  readonly group: number;
  readonly readOnly: boolean;
  /** Skips the volume if its root directory already has the right owner and permissions. */
  readonly onlyOnMismatch?: boolean;
}

export async function giveToGroup(directory: string, ownership: GroupOwnership): Promise<void> {
  if (ownership.onlyOnMismatch && (await isGiven(directory, ownership))) return;
  await give(directory, ownership);
}

/** Applies the pod's fsGroup, if it has one. */
export async function giveToPodGroup(
  pod: Pod,
  directory: string,
  readOnly: boolean,
  persistent = false,
): Promise<void> {
  const { fsGroup, fsGroupChangePolicy } = pod.spec?.securityContext ?? {};
  if (fsGroup === undefined || fsGroup === null) return;
  const onlyOnMismatch = persistent && fsGroupChangePolicy === 'OnRootMismatch';
  await giveToGroup(directory, { group: Number(fsGroup), readOnly, onlyOnMismatch });
}

/** Handles the contents first, so that an interrupted change is visible in the parent directory. */
async function give(place: string, ownership: GroupOwnership): Promise<void> {
  const info = await lstat(place);
  if (info.isDirectory())
    for (const name of await readdir(place)) await give(path.join(place, name), ownership);
  await lchown(place, -1, ownership.group);
  if (info.isSymbolicLink()) return;
  const bits = ownership.readOnly ? readOnlyBits : readWrite;
  await chmod(place, (info.mode & 0o7777) | bits | (info.isDirectory() ? setGroupId | executeBits : 0));
}

async function isGiven(directory: string, { group, readOnly }: GroupOwnership): Promise<boolean> {
  const info = await stat(directory);
  const needed = (readOnly ? readOnlyBits : readWrite) | executeBits | setGroupId;
  return info.isDirectory() && info.gid === group && (info.mode & needed) === needed;
}
