import type { IncomingRequest } from './api-request.ts';
import { noBody, type BodyStream, type RequestBody } from './request-body.ts';

/** A request whose body was already read, or is kept when it is first read. */
export class ReadRequest implements IncomingRequest {
  readonly body: RequestBody;
  readonly #request: IncomingRequest;

  constructor(request: IncomingRequest, body: RequestBody) {
    this.#request = request;
    this.body = body;
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

export const bodyOfBytes = (bytes: Uint8Array): RequestBody =>
  bytes.length === 0 ? noBody : { kind: 'bytes', bytes };

/**
 * A body that can be read repeatedly, since its bytes are kept.
 * @param onRead called when a stream has been read, before its reader continues
 */
export const keptBody = (body: RequestBody, onRead?: () => void): RequestBody =>
  body.kind === 'stream' ? { kind: 'stream', stream: new KeptStream(body.stream, onRead) } : body;

class KeptStream implements BodyStream {
  readonly #stream: BodyStream;
  readonly #onRead: (() => void) | undefined;
  #bytes: Promise<Uint8Array> | undefined;

  constructor(stream: BodyStream, onRead: (() => void) | undefined) {
    this.#stream = stream;
    this.#onRead = onRead;
  }

  read(bytesMax: number): Promise<Uint8Array> {
    return (this.#bytes ??= this.#stream.read(bytesMax).then((bytes) => {
      this.#onRead?.();
      return bytes;
    }));
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#stream.chunks();
  }
}
