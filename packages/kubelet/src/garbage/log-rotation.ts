/** Keeps logs of containers from growing without end: at a size a new file begins, old ones are compressed, then go. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface LogRotation {
  /** Bytes of a file at which the next begins. */
  readonly bytesMax: number;
  /** Of one container, the one that is written among them; at least 2. */
  readonly filesMax: number;
}

export interface RotatedLog {
  readonly file: string;
  /** Makes the runtime write to a new file. @throws when it doesn't */
  readonly reopen: () => Promise<void>;
}

/** Resolves with whether a new file has begun. A log that somebody removed is begun anew. */
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

/** The oldest first: their names end with the time at which they were full. */
export async function rotatedFiles(file: string): Promise<readonly string[]> {
  const folder = path.dirname(file);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${path.basename(file)}.`))
    .sort()
    .map((name) => path.join(folder, name));
}

/** What an earlier rotation left half done. */
async function removeUnused(files: readonly string[]): Promise<readonly string[]> {
  const isUsed = (file: string) =>
    !file.endsWith(unfinished) && (file.endsWith(compressed) || !files.includes(`${file}${compressed}`));
  for (const file of files) if (!isUsed(file)) await rm(file, { force: true });
  return files.filter(isUsed);
}

/** Two are to come: the one that is full now, and its successor. */
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

/** The newest rotated file stays as it is: whoever follows the log still reads it. */
async function beginNew(file: string, reopen: () => Promise<void>, nowMs: number): Promise<void> {
  const rotated = `${file}.${timestamp(nowMs)}`;
  await rename(file, rotated);
  try {
    await reopen();
  } catch (error) {
    // So that the next try finds it where it was.
    await rename(rotated, file);
    throw error;
  }
}

/** `20060102-150405` */
const timestamp = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
