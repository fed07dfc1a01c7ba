/** A request's body: read once, bounded, or handed over as an object by a transport of the same process. */
import { writeAny } from '@coxswain/schema/json/write.ts';
import { requestEntityTooLarge } from '@coxswain/apimachinery/errors.ts';

/** The original's limit on bodies of resource requests. */
export const bodyBytesMax = 3 * 1024 * 1024;

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'object'; readonly object: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: BodyStream };

export interface BodyStream {
  /** Resolves with all bytes; rejects with 413 beyond `bytesMax` and when the client goes away. */
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

/** What a Content-Length header says; undefined where it says nothing that makes sense. */
export function declaredLength(header: string | undefined): number | undefined {
  const length = header === undefined ? Number.NaN : Number(header);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

export const bodyTooLarge = (bytesMax: number) => requestEntityTooLarge(`limit is ${bytesMax}`);
