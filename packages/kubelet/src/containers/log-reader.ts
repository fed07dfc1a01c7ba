/** Reads container logs: the last lines, those since a time, and new ones. */
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { Clock } from '@coxswain/apimachinery';
import type { LogOptions } from '../connection.ts';
import { LineSelection } from './line-selection.ts';

export interface LogFile {
  readonly path: string;
  readonly clock: Clock;
  /** Reports whether the container is still writing. */
  isRunning(): boolean;
}

const chunkBytes = 64 * 1024;
/** The polling interval for a followed file. */
const followMs = 100;

/** Yields the text of lines, with timestamps if requested; continues across rotation of the log. */
export async function* readLog(
  { path, clock, isRunning }: LogFile,
  options: LogOptions,
): AsyncGenerator<Uint8Array> {
  const { follow = false, signal } = options;
  let file = await open(path, 'r');
  try {
    const selection = new LineSelection(options);
    const { size } = await file.stat();
    // What the container writes meanwhile would lengthen the tail, or never end.
    const end = follow ? Infinity : size;
    let position = options.tailLines === undefined ? 0 : await startOfTail(file, options.tailLines, size);
    for (;;) {
      // Checked before reading, so that everything written before the end is read afterwards.
      const goesOn = isRunning();
      for (;;) {
        const { bytesRead, buffer } = await file.read(
          Buffer.allocUnsafe(chunkBytes),
          0,
          Math.min(chunkBytes, end - position),
          position,
        );
        if (bytesRead === 0) break;
        position += bytesRead;
        const text = selection.take(buffer.subarray(0, bytesRead));
        if (text.length > 0) yield text;
        if (selection.isFull) return;
      }
      if (!follow || !goesOn || signal?.aborted) return;
      const successor = await rotated(path, file);
      if (successor !== undefined) {
        await file.close();
        file = successor;
        position = 0;
        continue;
      }
      await clock.sleep(followMs, signal).catch(() => undefined);
    }
  } finally {
    await file.close();
  }
}

/** Returns the file that has replaced this one. */
async function rotated(path: string, file: FileHandle): Promise<FileHandle | undefined> {
  try {
    const [now, opened] = await Promise.all([stat(path), file.stat()]);
    return now.ino === opened.ino ? undefined : await open(path, 'r');
  } catch {
    return undefined;
  }
}

/** Returns the offset of the last `lines` lines. */
async function startOfTail(file: FileHandle, lines: number, size: number): Promise<number> {
  if (lines === 0) return size;
  let found = 0;
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunkBytes);
    const { buffer } = await file.read(Buffer.allocUnsafe(end - start), 0, end - start, start);
    for (let at = end - start - 1; at >= 0; at--) {
      if (buffer[at] !== newline || start + at === size - 1) continue;
      if (++found === lines) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

const newline = 0x0a;
