import type { IncomingRequest } from './api-request.ts';
import type { RequestBody } from './request-body.ts';

/** A request whose body was read already. */
export class ReadRequest implements IncomingRequest {
  readonly body: RequestBody;
  readonly #request: IncomingRequest;

  constructor(request: IncomingRequest, bytes: Uint8Array) {
    this.#request = request;
    this.body = bytes.length === 0 ? { kind: 'none' } : { kind: 'bytes', bytes };
  }

  get method() {
    return this.#request.method;
  }

  get path() {
    return this.#request.path;
  }

  get query() {
    return this.#request.query;
  }

  get headers() {
    return this.#request.headers;
  }

  get rawHeaders() {
    return this.#request.rawHeaders;
  }

  get peer() {
    return this.#request.peer;
  }

  get structured() {
    return this.#request.structured;
  }

  get observer() {
    return this.#request.observer;
  }

  signal(): AbortSignal {
    return this.#request.signal();
  }
}
