import type { Readable } from 'node:stream';

/**
 * Iterates over the data of a stream to its end. Unlike the stream's own iterator, it leaves the writable side open.
 */
export const bytesOf = (stream: Readable): AsyncIterable<Uint8Array> =>
  stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
