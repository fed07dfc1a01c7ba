/**
 * One call on a connection: messages are sent with `send` and received by iteration, which throws the status of the
 * call.
 */
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { FrameReader, frame } from '../frames.ts';
import { GrpcError, grpcCodes, unescapedMessage } from '../status.ts';

/**
 * The maximum size of a response; unlimited as in kube-apiserver's client, since a list of large objects is one
 * response.
 */
const responseBytesMax = 2 ** 31 - 1;
/** The number of unread messages at which the peer must wait. */
const waitingMessagesMax = 1_000;

export class GrpcStream implements AsyncIterable<Uint8Array> {
  readonly #stream: ClientHttp2Stream;
  readonly #reader = new FrameReader(responseBytesMax);
  #waiting: Uint8Array[] = [];
  #status: IncomingHttpHeaders | undefined;
  #failure: unknown;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    stream.on('response', (headers) => this.#onHeaders(headers));
    stream.on('trailers', (headers) => this.#onHeaders(headers));
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('error', (failure) => (this.#failure ??= failure));
    stream.on('close', () => {
      this.#isOver = true;
      this.#wake?.();
    });
  }

  send(message: Uint8Array): void {
    if (!this.#stream.destroyed) this.#stream.write(frame(message));
  }

  /** Ends the requests. */
  end(): void {
    this.#stream.end();
  }

  /** @param reason the error for the reader; defaults to a lost connection */
  cancel(reason?: GrpcError): void {
    this.#failure ??= reason;
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const messages = this.#waiting;
      this.#waiting = [];
      this.#stream.resume();
      yield* messages;
      if (this.#waiting.length > 0) continue;
      if (this.#isOver) return this.#throwStatus();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #onHeaders(headers: IncomingHttpHeaders): void {
    if (headers['grpc-status'] !== undefined) this.#status = headers;
  }

  #onData(chunk: Buffer): void {
    try {
      this.#waiting.push(...this.#reader.push(chunk));
      if (this.#waiting.length > waitingMessagesMax) this.#stream.pause();
    } catch (failure) {
      this.#failure = failure;
      this.cancel();
    }
    this.#wake?.();
  }

  #throwStatus(): void {
    if (this.#status !== undefined) {
      const code = Number(this.#status['grpc-status']);
      if (code === grpcCodes.ok) return;
      throw new GrpcError(code, unescapedMessage(String(this.#status['grpc-message'] ?? '')));
    }
    if (this.#failure instanceof GrpcError) throw this.#failure;
    throw new GrpcError(grpcCodes.unavailable, 'error reading from server: EOF');
  }
}
