import type { Readable } from 'node:stream';

/** What a stream says, to its end; unlike the stream's own iterator it leaves the way back open. */
export const bytesOf = (stream: Readable): AsyncIterable<Uint8Array> =>
  stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
