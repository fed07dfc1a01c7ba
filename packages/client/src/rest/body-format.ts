/** A body format other than JSON; what it can't encode is sent as JSON. */
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { TransportResponse } from '../transport.ts';

/**
 * How bodies are encoded.
 * @internal
 */
export interface BodyFormat {
  readonly contentType: string;
  /** The default Accept header, which includes JSON for responses that have no other form. */
  readonly accept: string;
  /** Undefined for objects that can't be encoded in this format. */
  encode(object: unknown): Uint8Array | undefined;
  /** Whether a response has this format. */
  isOf(response: TransportResponse): boolean;
  decode(bytes: Uint8Array): unknown;
  /** Yields the events of a watch, in the batches in which they arrived. */
  decodeEvents<T extends KubeObject>(
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<readonly WatchEvent<T>[]>;
}
