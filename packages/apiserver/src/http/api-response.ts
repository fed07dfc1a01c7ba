/** An answer on its way out. Bytes where the transport wants bytes, objects where it takes them. */
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';

export type ResponseHeaders = Record<string, string | readonly string[]>;

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. Filters add their own. */
  readonly headers: ResponseHeaders;
  readonly body: ResponseBody;
}

/** Synchronous where nothing has to be waited for: a request then costs no promise on its way. */
export type Answer = ApiResponse | Promise<ApiResponse>;

export type ResponseBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The body is these, one after the other, each worth a write. They are asked for once. */
  | { readonly kind: 'chunks'; readonly chunks: Iterable<Uint8Array>; readonly bytesTotal: number }
  /** A body that goes on; every batch is sent on at once. One that is `endless` (a watch) is whole wherever it ends. */
  | { readonly kind: 'stream'; readonly open: (sink: StreamSink) => void; readonly endless?: true }
  | { readonly kind: 'object'; readonly object: unknown }
  | { readonly kind: 'events'; readonly events: EventStream }
  /** The connection itself, after an upgrade. Only transports with sockets can do it. */
  | { readonly kind: 'upgrade'; readonly accept: (socket: unknown, head: Uint8Array) => void };

/** Events in batches, to be read once. */
export interface EventStream extends AsyncIterable<readonly WatchEvent<KubeObject>[]> {
  /** Calls `listener` once when there are no more, or the reader has gone; at once when that was before. */
  whenOver(listener: () => void): void;
}

/** Where a stream's source writes; the transport joins what comes in one turn into one write. */
export interface StreamSink {
  /** Bytes that were written and not yet taken by the connection. */
  readonly bytesPending: number;
  write(bytes: Uint8Array): void;
  /** A promise while more is pending than a sink should hold; it resolves when the client has read on, or is gone. */
  drained(): Promise<void> | undefined;
  end(): void;
  /** Ends before the body is whole, in a way that tells the client so; what was written before may be lost. */
  abort(): void;
  /** Calls `listener` once when the client is gone or the stream was cut off. */
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
