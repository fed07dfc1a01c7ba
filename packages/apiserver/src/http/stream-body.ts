/** A body that comes in over a socket: read whole up to a bound, or chunk by chunk. */
import type { Readable } from 'node:stream';
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { bodyTooLarge } from './request-body.ts';
import type { BodyStream } from './request-body.ts';

/** @param declaredBytes Content-Length, where the client told it: too much is refused before it is read. */
export function bodyOf(stream: Readable, declaredBytes: number | undefined): BodyStream {
  return {
    read(bytesMax) {
      if (declaredBytes !== undefined && declaredBytes > bytesMax)
        return Promise.reject(bodyTooLarge(bytesMax));
      return readAll(stream, bytesMax);
    },
    chunks: () => stream as AsyncIterable<Uint8Array>,
  };
}

function readAll(stream: Readable, bytesMax: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes();
    const stop = (failure: Error) => {
      stream.off('data', take).off('end', finish).off('error', stop).off('close', gone).off('aborted', gone);
      stream.pause();
      reject(failure);
    };
    const take = (chunk: Uint8Array) => {
      if (gathered.length + chunk.length > bytesMax) stop(bodyTooLarge(bytesMax));
      else gathered.add(chunk);
    };
    const finish = () => {
      stream.off('error', stop).off('close', gone).off('aborted', gone);
      resolve(gathered.take());
    };
    const gone = () => stop(badRequest('unexpected EOF'));
    stream.on('data', take).on('end', finish).on('error', stop).on('close', gone).on('aborted', gone);
  });
}

/** The number in a Content-Length header. */
export function declaredLength(header: unknown): number | undefined {
  const length = typeof header === 'string' ? Number(header) : Number.NaN;
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}
