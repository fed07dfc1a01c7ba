/** gRPC calls over HTTP/2, to the first of several endpoints that answers. */
import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { endpointSocket, socketPathOf, type EndpointDial } from './endpoint-socket.ts';
import { FrameReader, frame } from './grpc-frames.ts';
import { GrpcError, grpcCodes } from './grpc-status.ts';

export interface ChannelTls {
  readonly ca?: string | Uint8Array;
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
}

export interface ChannelOptions {
  /** `http://host:port`, `https://host:port`, or `unix:///path/of/socket`. */
  readonly endpoints: readonly string[];
  readonly tls?: ChannelTls | undefined;
  /** What is there, for messages; `etcd` when absent. */
  readonly service?: string;
  /** How connections to hosts are opened, where that isn't the network's own way. */
  readonly dial?: EndpointDial | undefined;
  readonly clock: Clock;
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
const connectMsMax = 5_000;
/** Between two rounds over endpoints of which none answers. */
const reconnectMsMin = 50;
const reconnectMsMax = 1_000;
/** As kube-apiserver's client of etcd. */
const keepAliveEveryMs = 30_000;
const keepAliveMsMax = 10_000;
/** Of a response; kube-apiserver's client sets no bound, a list of large objects is one response. */
const responseBytesMax = 2 ** 31 - 1;
/** Streams of watches must not stop those of reads. */
const windowBytes = 16 * 1024 * 1024;
/** Messages that wait for their reader before the other end is made to wait. */
const waitingMessagesMax = 1_000;

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
        const session = await this.#connectTo(endpoint);
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

  async #connectTo(endpoint: string): Promise<ClientHttp2Session> {
    const { tls, clock, dial } = this.#options;
    const identity = {
      ...(tls?.ca !== undefined && { ca: tls.ca as Buffer, allowPartialTrustChain: true }),
      ...(tls && { cert: tls.cert as Buffer, key: tls.key as Buffer }),
    };
    const createConnection = await endpointSocket(endpoint, dial, identity);
    return new Promise((resolve, reject) => {
      const session = connect(socketPathOf(endpoint) === undefined ? endpoint : 'http://localhost', {
        ...(createConnection && { createConnection }),
        ...identity,
        settings: { initialWindowSize: windowBytes, enablePush: false },
      });
      const timer = clock.after(connectMsMax, () =>
        session.destroy(new Error(`${endpoint} does not answer`)),
      );
      // Not yet when there is a connection: what stands between may take one, and close it again.
      session.once('remoteSettings', () => {
        timer.cancel();
        session.setLocalWindowSize(windowBytes);
        keepAlive(session, clock);
        resolve(session);
      });
      session.on('error', (failure) => {
        timer.cancel();
        reject(failure);
      });
      const forget = (): void => {
        this.#forget(session);
        reject(new Error(`${endpoint} closed the connection`));
      };
      session.on('goaway', forget);
      session.on('close', forget);
    });
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

/** One call: messages go out with `send`, and come in by iteration, which throws the call's status. */
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

  /** No more requests. */
  end(): void {
    this.#stream.end();
  }

  /** @param reason what the reader is told; else that the connection was lost */
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
      throw new GrpcError(code, decodeURIComponent(String(this.#status['grpc-message'] ?? '')));
    }
    if (this.#failure instanceof GrpcError) throw this.#failure;
    throw new GrpcError(grpcCodes.unavailable, 'error reading from server: EOF');
  }
}

/** A connection whose other end is gone without a word is given up. */
function keepAlive(session: ClientHttp2Session, clock: Clock): void {
  let timer: Timer;
  const ping = (): void => {
    timer = clock.after(keepAliveMsMax, () => session.destroy(new Error('the server does not answer')), {
      idle: true,
    });
    session.ping((failure) => {
      timer.cancel();
      if (failure === null && !session.destroyed) schedule();
    });
  };
  const schedule = (): void => {
    timer = clock.after(keepAliveEveryMs, ping, { idle: true });
  };
  session.on('close', () => timer.cancel());
  schedule();
}

const isUnavailable = (failure: unknown): boolean =>
  failure instanceof GrpcError && failure.code === grpcCodes.unavailable;
