/** A request's body: read once, with a size limit, or passed as an object by an in-process transport. */
import { writeAny } from '@coxswain/schema/json/write.ts';
import { requestEntityTooLarge } from '@coxswain/apimachinery/errors.ts';

/** Upstream's limit for bodies of resource requests. */
export const bodyBytesMax = 3 * 1024 * 1024;

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'object'; readonly object: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: BodyStream };

export interface BodyStream {
  /** Resolves with all bytes; rejects with 413 beyond `bytesMax`, or when the client disconnects. */
  read(bytesMax: number): Promise<Uint8Array>;
  /** For upgraded and proxied requests. */
  chunks(): AsyncIterable<Uint8Array>;
}

export const noBody: RequestBody = { kind: 'none' };

const noBytes = new Uint8Array(0);

export function readBody(
  body: RequestBody,
  bytesMax: number = bodyBytesMax,
): Uint8Array | Promise<Uint8Array> {
  switch (body.kind) {
    case 'none':
      return noBytes;
    case 'bytes':
      if (body.bytes.length > bytesMax) throw bodyTooLarge(bytesMax);
      return body.bytes;
    case 'object':
      return new TextEncoder().encode(writeAny(body.object));
    case 'stream':
      return body.stream.read(bytesMax);
  }
}

/** The value of a Content-Length header; undefined if absent or invalid. */
export function declaredLength(header: string | undefined): number | undefined {
  const length = header === undefined ? Number.NaN : Number(header);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

export const bodyTooLarge = (bytesMax: number) => requestEntityTooLarge(`limit is ${bytesMax}`);
