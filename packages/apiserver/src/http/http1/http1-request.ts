/** One HTTP/1.1 request, as the filter chain sees it. */
import type { IncomingRequest, Peer, RequestHeaders } from '../api-request.ts';
import type { RequestBody } from '../request-body.ts';
import type { RequestHead } from './request-head.ts';

export class Http1Request implements IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: RequestBody;
  readonly peer: Peer;
  readonly structured = false;
  readonly observer = undefined;
  deadlineMs = Number.POSITIVE_INFINITY;
  #abort: AbortController | undefined;
  #isGone = false;

  constructor({ method, path, query, headers, rawHeaders }: RequestHead, body: RequestBody, peer: Peer) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.body = body;
    this.peer = peer;
  }

  signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#isGone) this.#abort.abort();
    return this.#abort.signal;
  }

  /** The client has disconnected, or its request is over: what still works for it, after a timeout, has no reader. */
  abort(): void {
    this.#isGone = true;
    this.#abort?.abort();
  }
}
