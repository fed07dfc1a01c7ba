/**
 * Limits the size of container logs: at a size a new file is started, older ones are compressed, and finally removed.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface LogRotation {
  /** The size in bytes at which a new file is started. */
  readonly bytesMax: number;
  /** The maximum number of files per container, including the current one; at least 2. */
  readonly filesMax: number;
}

export interface RotatedLog {
  readonly file: string;
  /** Makes the runtime write to a new file. @throws if that fails */
  readonly reopen: () => Promise<void>;
}

/** Resolves with whether a new file was started. A log that was deleted is recreated. */
export async function rotateLog(
  { file, reopen }: RotatedLog,
  { bytesMax, filesMax }: LogRotation,
  nowMs: number,
): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) {
    await reopen();
    return true;
  }
  if (stats.size < bytesMax) return false;
  const kept = await removeExcess(await removeUnused(await rotatedFiles(file)), filesMax);
  for (const each of kept) if (!each.endsWith(compressed)) await compress(each);
  await beginNew(file, reopen, nowMs);
  return true;
}

const compressed = '.gz';
const unfinished = '.tmp';

/** Oldest first: their names end with the time of the rotation. */
export async function rotatedFiles(file: string): Promise<readonly string[]> {
  const directory = path.dirname(file);
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${path.basename(file)}.`))
    .sort()
    .map((name) => path.join(directory, name));
}

/** Removes leftovers of an interrupted rotation. */
async function removeUnused(files: readonly string[]): Promise<readonly string[]> {
  const isUsed = (file: string) =>
    !file.endsWith(unfinished) && (file.endsWith(compressed) || !files.includes(`${file}${compressed}`));
  for (const file of files) if (!isUsed(file)) await rm(file, { force: true });
  return files.filter(isUsed);
}

/** Leaves room for two: the file that is full now, and its successor. */
async function removeExcess(files: readonly string[], filesMax: number): Promise<readonly string[]> {
  const excess = Math.max(0, files.length - Math.max(0, filesMax - 2));
  for (const file of files.slice(0, excess)) await rm(file, { force: true });
  return files.slice(excess);
}

async function compress(file: string): Promise<void> {
  const { mode } = await stat(file);
  const draft = `${file}${unfinished}`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(draft, { mode }));
    await rename(draft, `${file}${compressed}`);
    await rm(file, { force: true });
  } finally {
    await rm(draft, { force: true });
  }
}

/** The latest rotated file remains uncompressed, since readers that follow the log may still need it. */
async function beginNew(file: string, reopen: () => Promise<void>, nowMs: number): Promise<void> {
  const rotated = `${file}.${timestamp(nowMs)}`;
  await rename(file, rotated);
  try {
    await reopen();
  } catch (error) {
    // Restores the file for the next attempt.
    await rename(rotated, file);
    throw error;
  }
}

/** `20060102-150405` */
const timestamp = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
