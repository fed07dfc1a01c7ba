/** A response: bytes where the transport wants bytes, objects where it accepts them. */
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';

export type ResponseHeaders = Record<string, string | readonly string[]>;

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. Filters add their own. */
  readonly headers: ResponseHeaders;
  readonly body: ResponseBody;
}

/** Synchronous if the handler has nothing to wait for, which saves a promise per request. */
export type Answer = ApiResponse | Promise<ApiResponse>;

export type ResponseBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The body is the concatenation of these, each large enough for a write. They can be read once. */
  | { readonly kind: 'chunks'; readonly chunks: Iterable<Uint8Array>; readonly bytesTotal: number }
  /**
   * A body that continues; every batch is sent at once. One that is `endless` (a watch) is complete wherever it ends.
   */
  | { readonly kind: 'stream'; readonly open: (sink: StreamSink) => void; readonly endless?: true }
  | { readonly kind: 'object'; readonly object: unknown }
  | { readonly kind: 'events'; readonly events: EventStream }
  /** The connection itself, after an upgrade. Only transports with sockets support it. */
  | { readonly kind: 'upgrade'; readonly accept: (socket: unknown, head: Uint8Array) => void };

/** Events in batches, readable once. */
export interface EventStream extends AsyncIterable<readonly WatchEvent<KubeObject>[]> {
  /** Calls `listener` once after the last event or when the reader has stopped; at once if that already happened. */
  whenOver(listener: () => void): void;
}

/** The target of a stream's source; the transport combines the writes of one event-loop turn into one. */
export interface StreamSink {
  /** Bytes that were written but not yet accepted by the connection. */
  readonly bytesPending: number;
  write(bytes: Uint8Array): void;
  /**
   * A promise while more bytes are pending than a sink should hold; it resolves when the client has caught up or
   * disconnected.
   */
  drained(): Promise<void> | undefined;
  end(): void;
  /** Ends an incomplete body in a way that the client notices; pending bytes may be lost. */
  abort(): void;
  /** Calls `listener` once when the client has disconnected or the stream was aborted. */
  onClose(listener: () => void): void;
}

export const emptyBody: ResponseBody = { kind: 'none' };

const textEncoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => textEncoder.encode(text);

export const textResponse = (
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): ApiResponse => ({
  status,
  headers: { 'content-type': contentType },
  body: { kind: 'bytes', bytes: utf8(text) },
});

export const jsonResponse = (status: number, value: unknown): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { kind: 'bytes', bytes: utf8(JSON.stringify(value)) },
});
