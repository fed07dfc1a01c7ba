/** Checks the path of a hostPath volume by its type and, depending on the type, creates it. */
import { mkdir, open, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';

type Check = readonly [holds: (info: Stats) => boolean, what: string];

const checks: Readonly<Record<string, Check>> = {
  Directory: [(info) => info.isDirectory(), 'a directory'],
  DirectoryOrCreate: [(info) => info.isDirectory(), 'a directory'],
  File: [(info) => info.isFile(), 'a file'],
  FileOrCreate: [(info) => info.isFile(), 'a file'],
  Socket: [(info) => info.isSocket(), 'a socket file'],
  CharDevice: [(info) => info.isCharacterDevice(), 'a character device'],
  BlockDevice: [(info) => info.isBlockDevice(), 'a block device'],
};

/** @throws Error if the path does not match the type */
export async function prepareHostPath(path: string, type: string): Promise<void> {
  if (type === '') return;
  const check = checks[type];
  if (check === undefined) throw new Error(`${type} is an invalid volume type`);
  const info = await stat(path).catch(() => undefined);
  if (info === undefined && type === 'DirectoryOrCreate')
    return void (await mkdir(path, { recursive: true, mode: 0o755 }));
  if (info === undefined && type === 'FileOrCreate') return (await open(path, 'a', 0o644)).close();
  const [holds, what] = check;
  if (info === undefined || !holds(info))
    throw new Error(`hostPath type check failed: ${path} is not ${what}`);
}
