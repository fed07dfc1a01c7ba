/** Reads container logs: the last lines, those since a time, and new ones. */
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { Clock } from '@coxswain/apimachinery';
import type { LogOptions } from '../connection.ts';
import { FileChanges } from './file-changes.ts';
import { LineSelection } from './line-selection.ts';

export interface LogFile {
  readonly path: string;
  readonly clock: Clock;
  /** Reports whether the container is still writing. */
  isRunning(): boolean;
}

const chunkBytes = 64 * 1024;
/** Yields the text of lines, with timestamps if requested; continues across rotation of the log. */
export async function* readLog(
  { path, clock, isRunning }: LogFile,
  options: LogOptions,
): AsyncGenerator<Uint8Array> {
  const { follow = false, signal } = options;
  let file = await open(path, 'r');
  let changes = follow ? new FileChanges(path, clock) : undefined;
  let successor: FileHandle | undefined;
  try {
    const selection = new LineSelection(options);
    let { size } = await file.stat();
    let position = options.tailLines === undefined ? 0 : await startOfTail(file, options.tailLines, size);
    for (;;) {
      // Checked before reading, so that everything written before the end is read afterwards.
      const goesOn = isRunning();
      if (follow) {
        // As soon as there is one, nobody writes to this file any more.
        successor = await rotated(path, file);
        ({ size } = await file.stat());
      }
      // What the container writes meanwhile would lengthen the tail, or never end.
      while (position < size) {
        const bytes = await readAt(file, position, Math.min(chunkBytes, size - position));
        if (bytes.length === 0) break;
        position += bytes.length;
        const text = selection.take(bytes);
        if (text.length > 0) yield text;
        if (selection.isFull) return;
      }
      if (successor !== undefined) {
        await file.close();
        file = successor;
        successor = undefined;
        changes?.close();
        changes = new FileChanges(path, clock);
        position = 0;
        continue;
      }
      if (changes === undefined || !goesOn || signal?.aborted) return;
      await changes.next(signal);
    }
  } finally {
    changes?.close();
    await successor?.close();
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
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
