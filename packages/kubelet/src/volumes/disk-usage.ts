/** The space that a directory and its contents use on their file system. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

export interface DiskUse {
  readonly bytes: number;
  readonly inodes: number;
}

/** The kernel counts blocks of this size, whatever the file system's block size. */
const blockBytes = 512;

/** Zero for a missing directory. Excludes other file systems mounted below; hard links count once. */
export async function diskUsage(directory: string): Promise<DiskUse> {
  const root = await lstat(directory).catch(() => undefined);
  if (root === undefined) return { bytes: 0, inodes: 0 };
  const linked = new Set<number>();
  let bytes = root.blocks * blockBytes;
  let inodes = 1;
  const waiting = root.isDirectory() ? [directory] : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of await readdir(next).catch(() => [])) {
      const file = path.join(next, name);
      const stats = await lstat(file).catch(() => undefined);
      if (stats === undefined || stats.dev !== root.dev || linked.has(stats.ino)) continue;
      if (stats.nlink > 1 && !stats.isDirectory()) linked.add(stats.ino);
      bytes += stats.blocks * blockBytes;
      inodes++;
      if (stats.isDirectory()) waiting.push(file);
    }
  }
  return { bytes, inodes };
}
