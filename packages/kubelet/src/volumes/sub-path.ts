/**
 * Mounts a part of a volume safely while its contents may change: a container that shares the volume could replace a
 * part of the path with a link to the host's files. Each part of the path is opened relative to the one before without
 * following links, and the open file itself is bind-mounted.
 */
import { constants } from 'node:fs';
import {
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rmdir,
  unlink,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { mountBind, mountsBelow, unmount } from './kernel-mounts.ts';

/** O_PATH: opens for reference only, neither for reading nor writing. Node does not define it. */
const openPath = 0o10_000_000;

export interface SubPath {
  /** The location of the volume. */
  readonly volume: string;
  /** Relative, without `..`. */
  readonly subPath: string;
  /** The location of the mount. */
  readonly target: string;
}

/** @throws Error if the path leads through a link or out of the volume */
export async function bindSubPath({ volume, subPath, target }: SubPath): Promise<void> {
  refuseEscape(subPath);
  const opened = await openWithin(...(await resolvedWithin(volume, subPath)), openOrMake);
  try {
    const isDirectory = (await opened.stat()).isDirectory();
    await mkdir(path.dirname(target), { recursive: true, mode: 0o750 });
    if ((await mountsBelow(target)).length > 0) return;
    if (isDirectory) await mkdir(target, { recursive: true, mode: 0o750 });
    else await writeFile(target, '', { flag: 'a', mode: 0o640 });
    await mountBind(`/proc/${process.pid}/fd/${opened.fd}`, target);
  } finally {
    await opened.close();
  }
}

/**
 * Returns the volume and the parts of the path in it after following links; missing parts remain as named. Nothing
 * opened afterwards follows links: a link that is inserted in between is refused.
 */
async function resolvedWithin(volume: string, subPath: string): Promise<[string, string[]]> {
  const top = await realpath(volume);
  const missing: string[] = [];
  let place = path.join(volume, subPath);
  for (;;) {
    const found = await realpath(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (found !== undefined) {
      if (found !== top && !found.startsWith(`${top}/`))
        throw new Error(`subpath ${subPath} leads out of the volume`);
      return [
        top,
        [
          ...found
            .slice(top.length + 1)
            .split('/')
            .filter(Boolean),
          ...missing,
        ],
      ];
    }
    missing.unshift(path.basename(place));
    place = path.dirname(place);
  }
}

export function refuseEscape(subPath: string): void {
  if (subPath.startsWith('/')) throw new Error(`error SubPath \`${subPath}\` must not be an absolute path`);
  if (subPath.split('/').includes('..'))
    throw new Error(`unable to provision SubPath \`${subPath}\`: must not contain '..'`);
}

/** Opens what is there for reference only. @throws Error as {@link bindSubPath}, and if there is nothing */
export async function openInVolume(volume: string, file: string): Promise<FileHandle> {
  refuseEscape(file);
  return openWithin(...(await resolvedWithin(volume, file)), openOnly);
}

async function openWithin(
  volume: string,
  parts: readonly string[],
  openPart: (place: string, mode: number) => Promise<FileHandle>,
): Promise<FileHandle> {
  let at = await open(volume, openPath | constants.O_DIRECTORY);
  const { mode } = await at.stat();
  try {
    for (const part of parts) {
      const place = `/proc/self/fd/${at.fd}/${part}`;
      const next = await openPart(place, mode & 0o7777);
      await at.close();
      at = next;
    }
    return at;
  } catch (error) {
    await at.close();
    throw error;
  }
}

/** Creates a missing directory with the volume's permissions. */
async function openOrMake(place: string, mode: number): Promise<FileHandle> {
  return openOnly(place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(place, { mode }).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== 'EEXIST') throw failure;
    });
    return openOnly(place);
  });
}

async function openOnly(place: string): Promise<FileHandle> {
  const opened = await open(place, openPath | constants.O_NOFOLLOW);
  if (!(await opened.stat()).isSymbolicLink()) return opened;
  await opened.close();
  throw new Error(`unexpected symlink found ${path.basename(place)}`);
}

/** Unmounts what `bindSubPath` has mounted below `directory`. */
export async function removeSubPaths(directory: string): Promise<void> {
  for (const point of await mountsBelow(directory)) await unmount(point);
  await removeEmpty(directory);
}

/** Removes nothing but empty directories, and the empty files that served as mount points. */
async function removeEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const place = path.join(directory, name);
    const info = await lstat(place);
    if (info.isDirectory()) await removeEmpty(place);
    else if (info.size === 0) await unlink(place);
  }
  await rmdir(directory).catch(() => undefined);
}
