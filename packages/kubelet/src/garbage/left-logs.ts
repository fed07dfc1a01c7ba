/** Removes logs, and links to logs, of pods and containers that no longer exist. */
import { readdir, readlink, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { KubeletDirectories } from '../pod-paths.ts';

/** A newer directory may belong to a pod that is not known yet. */
const newMs = 60_000;

export async function removeLeftLogs(
  { podLogs, containerLogs }: KubeletDirectories,
  isKnown: (podUid: string) => boolean,
  nowMs: number,
): Promise<void> {
  for (const name of await readdir(podLogs).catch(() => [])) {
    const uid = /^[^_]+_[^_]+_([^_]+)$/.exec(name)?.[1];
    if (uid === undefined || isKnown(uid)) continue;
    const directory = path.join(podLogs, name);
    const madeMs = (await stat(directory).catch(() => undefined))?.mtimeMs ?? nowMs;
    if (nowMs - madeMs >= newMs) await rm(directory, { recursive: true, force: true });
  }
  for (const name of await readdir(containerLogs).catch(() => [])) {
    const link = path.join(containerLogs, name);
    const target = await readlink(link).catch(() => undefined);
    // Links that lead elsewhere are not ours.
    if (!name.endsWith('.log') || target === undefined || !target.startsWith(`${podLogs}/`)) continue;
    if ((await stat(link).catch(() => undefined)) === undefined) await rm(link, { force: true });
  }
}
