/** gRPC calls over HTTP/2, to the first of several endpoints that answers. */
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { GrpcError, grpcCodes, isGrpcFailure } from '../status.ts';
import { openSession, type SessionOptions } from './session.ts';
import { GrpcStream } from './stream.ts';

export interface ChannelOptions extends SessionOptions {
  /** `http://host:port`, `https://host:port`, or `unix:///path/of/socket`. */
  readonly endpoints: readonly string[];
  /** What is there, for messages; `etcd` when absent. */
  readonly service?: string;
  /** Of calls that name none. */
  readonly timeoutMs?: number | undefined;
}

export interface CallOptions {
  /** Whether it may be sent again where it is not known what became of it. */
  readonly isIdempotent?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Until it is given up as 'deadline exceeded'. */
  readonly timeoutMs?: number;
}

/** A call that is answered by no end. */
const callMsMax = 60_000;
/** Between two rounds over endpoints of which none answers. */
const reconnectMsMin = 50;
const reconnectMsMax = 1_000;

export class GrpcChannel {
  readonly #options: ChannelOptions;
  #session: Promise<ClientHttp2Session> | undefined;
  /** Of the endpoint that answered last. */
  #endpoint = 0;
  #closed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /**
   * One request, one response. Waits for an endpoint that answers as long as the call may take; once something was
   * sent it is sent again only when `isIdempotent`.
   * @throws GrpcError
   */
  async unary(path: string, request: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> {
    const { clock, endpoints, timeoutMs: callMs = callMsMax } = this.#options;
    const endMs = clock.monotonic() + (options.timeoutMs ?? callMs);
    for (let attempt = 1; ; attempt++) {
      const stream = await this.#openInTime(path, endMs, options.signal);
      const timeoutMs = Math.max(0, endMs - clock.monotonic());
      try {
        return await this.#answerOf(stream, request, { ...options, timeoutMs });
      } catch (failure) {
        const isLast = attempt > endpoints.length;
        if (!isUnavailable(failure) || options.isIdempotent !== true || isLast || this.#closed) throw failure;
      }
    }
  }

  /** A call of many requests and responses. @throws GrpcError when no endpoint answers */
  async stream(path: string): Promise<GrpcStream> {
    return new GrpcStream(await this.#open(path));
  }

  close(): void {
    this.#closed = true;
    this.#session?.then(
      (session) => session.destroy(),
      () => undefined,
    );
  }

  /** @throws GrpcError when no endpoint answers until then */
  async #openInTime(
    path: string,
    endMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ClientHttp2Stream> {
    const { clock } = this.#options;
    for (let delayMs = reconnectMsMin; ; delayMs = Math.min(delayMs * 2, reconnectMsMax)) {
      try {
        return await this.#open(path);
      } catch (failure) {
        if (!isUnavailable(failure) || this.#closed) throw failure;
        if (clock.monotonic() + delayMs >= endMs) {
          const reason = messageOf(failure);
          throw new GrpcError(grpcCodes.deadlineExceeded, `context deadline exceeded: ${reason}`);
        }
      }
      await clock.sleep(delayMs, signal);
    }
  }

  async #open(path: string): Promise<ClientHttp2Stream> {
    if (this.#closed) throw new GrpcError(grpcCodes.cancelled, 'the channel is closed');
    this.#session ??= this.#connect();
    const session = await this.#session;
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    // Told by what reads the stream.
    stream.on('error', () => undefined);
    return stream;
  }

  async #connect(): Promise<ClientHttp2Session> {
    const { endpoints, service = 'etcd' } = this.#options;
    let failure: unknown;
    for (let i = 0; i < endpoints.length; i++) {
      const endpoint = endpoints[(this.#endpoint + i) % endpoints.length]!;
      try {
        const session = await openSession(endpoint, this.#options, (lost) => this.#forget(lost));
        this.#endpoint = (this.#endpoint + i) % endpoints.length;
        if (this.#closed) session.destroy();
        return session;
      } catch (reason) {
        failure = reason;
      }
    }
    this.#session = undefined;
    const message = `no ${service} endpoint answers (${endpoints.join(', ')}): ${messageOf(failure)}`;
    throw new GrpcError(grpcCodes.unavailable, message);
  }

  #forget(session: ClientHttp2Session): void {
    const current = this.#session;
    current?.then(
      (held) => {
        if (held === session && this.#session === current) this.#session = undefined;
      },
      () => undefined,
    );
  }

  async #answerOf(
    stream: ClientHttp2Stream,
    request: Uint8Array,
    { signal, timeoutMs = callMsMax }: CallOptions,
  ): Promise<Uint8Array> {
    const call = new GrpcStream(stream);
    const timer = this.#options.clock.after(timeoutMs, () =>
      call.cancel(new GrpcError(grpcCodes.deadlineExceeded, 'context deadline exceeded')),
    );
    const abort = (): void => call.cancel();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      call.send(request);
      call.end();
      let answer: Uint8Array | undefined;
      for await (const message of call) answer = message;
      if (answer === undefined) throw new GrpcError(grpcCodes.internal, 'the answer has no message');
      return answer;
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', abort);
    }
  }
}

const isUnavailable = (failure: unknown): boolean => isGrpcFailure(failure, 'unavailable');
