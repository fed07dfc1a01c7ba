import type { IncomingHttpHeaders } from 'node:http2';
import type { Readable } from 'node:stream';
import type * as Zlib from 'node:zlib';
import type { TransportResponse } from '../transport.ts';

/** Builds the response from a stream of possibly compressed bytes. */
export function responseOf(status: number, headers: IncomingHttpHeaders, raw: Readable): TransportResponse {
  const body = headers['content-encoding'] === 'gzip' ? raw.pipe(gunzip()) : raw;
  // A failure between two reads is reported by the next read.
  let failure: Error | undefined;
  const note = (error: Error) => (failure ??= error);
  raw.on('error', (error) => {
    note(error);
    if (body !== raw) body.destroy(error);
  });
  body.on('error', note);
  async function* stream(): AsyncGenerator<Uint8Array> {
    if (failure !== undefined) throw failure;
    for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
  }
  return {
    status,
    headers: headers as TransportResponse['headers'],
    stream,
    async bytes() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream()) chunks.push(chunk);
      return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    },
  };
}

/** Loaded only for compressed responses; small ones are not compressed. */
const gunzip = (): Zlib.Gunzip => process.getBuiltinModule('node:zlib').createGunzip();
