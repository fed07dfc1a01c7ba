import type { Writable } from 'node:stream';
import { whenDrained } from './when-drained.ts';

/** Writes to a stream; a returned promise resolves when more may be written, also if nobody reads anymore. */
export const writerTo =
  (stream: Writable) =>
  (chunk: Uint8Array): void | Promise<void> => {
    if (stream.destroyed || stream.write(chunk)) return;
    return new Promise((resolve) => whenDrained(stream, resolve));
  };
