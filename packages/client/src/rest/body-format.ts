/** How bodies are written and read where they are not JSON; what it can't write goes as JSON. */
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { TransportResponse } from '../transport.ts';

/**
 * How bodies are written.
 * @internal
 */
export interface BodyFormat {
  readonly contentType: string;
  /** For requests that ask for nothing special: with JSON for what has no other form. */
  readonly accept: string;
  /** Undefined for objects that have no such form. */
  encode(object: unknown): Uint8Array | undefined;
  /** Whether an answer came in this form. */
  isOf(response: TransportResponse): boolean;
  decode(bytes: Uint8Array): unknown;
  /** The events of a watch, those together that arrived together. */
  decodeEvents<T extends KubeObject>(
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<readonly WatchEvent<T>[]>;
}
