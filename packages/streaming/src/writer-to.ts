import type { Writable } from 'node:stream';

/** Writes to a stream; a promise resolves when more may be written, also when nobody reads any longer. */
export const writerTo =
  (stream: Writable) =>
  (chunk: Uint8Array): void | Promise<void> => {
    if (stream.destroyed || stream.write(chunk)) return;
    return new Promise((resolve) => {
      const go = () => {
        stream.off('drain', go).off('close', go);
        resolve();
      };
      stream.on('drain', go).on('close', go);
    });
  };
