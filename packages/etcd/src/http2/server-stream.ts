import type { HeaderFields } from './hpack-decoder.ts';

/** What a stream needs of its connection. */
export interface StreamCarrier {
  sendHeaders(stream: ServerStream, block: Uint8Array, isLast: boolean): void;
  /** Sends what of `stream.unsent` the client's windows allow. */
  sendUnsent(stream: ServerStream): void;
  reset(stream: ServerStream, code: number): void;
}

export interface StreamListener {
  onData(bytes: Buffer): void;
  /** The client has sent all it wants to send. */
  onEnd(): void;
  /** Nothing goes either way any more, whether it was complete or not. Called once. */
  onClose(): void;
}

const deaf: StreamListener = { onData: () => undefined, onEnd: () => undefined, onClose: () => undefined };

/** One request and its answer: headers, data as the client's window allows, trailers. */
export class ServerStream {
  readonly id: number;
  readonly headers: HeaderFields;
  listener: StreamListener = deaf;
  /** Bytes that the client lets us send. */
  sendWindow: number;
  /** Bytes that it has sent and that its window hasn't got back. */
  receivedBytes = 0;
  isRemoteOpen: boolean;
  isClosed = false;
  headersAreSent = false;
  /** In order. */
  readonly unsent: Uint8Array[] = [];
  unsentBytes = 0;
  /** Sent after all data; ends our side. Empty: the end is told by the last data. */
  trailers: Uint8Array | undefined;
  readonly #carrier: StreamCarrier;
  #onDrain: (() => void) | undefined;

  constructor(
    carrier: StreamCarrier,
    id: number,
    headers: HeaderFields,
    options: { readonly sendWindow: number; readonly isRemoteOpen: boolean },
  ) {
    this.#carrier = carrier;
    this.id = id;
    this.headers = headers;
    this.sendWindow = options.sendWindow;
    this.isRemoteOpen = options.isRemoteOpen;
  }

  respond(block: Uint8Array, options: { readonly isLast?: boolean } = {}): void {
    if (this.isClosed || this.headersAreSent) return;
    this.headersAreSent = true;
    this.#carrier.sendHeaders(this, block, options.isLast ?? false);
  }

  write(bytes: Uint8Array): void {
    if (this.isClosed || this.trailers !== undefined || bytes.length === 0) return;
    this.unsent.push(bytes);
    this.unsentBytes += bytes.length;
    this.#carrier.sendUnsent(this);
  }

  end(trailers: Uint8Array): void {
    if (this.isClosed || this.trailers !== undefined) return;
    this.trailers = trailers;
    this.#carrier.sendUnsent(this);
  }

  reset(code: number): void {
    if (!this.isClosed) this.#carrier.reset(this, code);
  }

  /** Calls once when nothing is unsent. */
  onDrain(callback: () => void): void {
    this.#onDrain = callback;
  }

  /** Told by the connection. */
  drained(): void {
    const callback = this.#onDrain;
    this.#onDrain = undefined;
    callback?.();
  }
}
