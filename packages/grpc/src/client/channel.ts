/**
 * gRPC calls over HTTP/2 to one of several endpoints: the first that answers, until it fails or reports that it cannot
 * serve; then the next.
 */
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { GrpcError, grpcCodes, isGrpcFailure } from '../status.ts';
import { mustLive, openSession, type SessionOptions } from './session.ts';
import { GrpcStream } from './stream.ts';

export interface ChannelOptions extends SessionOptions {
  /** `http://host:port`, `https://host:port`, or `unix:///path/of/socket`. */
  readonly endpoints: readonly string[];
  /** The name of the service in messages; defaults to `etcd`. */
  readonly service?: string;
  /** The time-out of calls that set none. */
  readonly timeoutMs?: number | undefined;
  /** Headers of all calls. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Whether a failure shows that the endpoint has not started the call, so that it may be sent to another one. */
  readonly isNotBegun?: (failure: GrpcError) => boolean;
}

export interface CallOptions {
  /** Whether the call may be repeated if its outcome is unknown. */
  readonly isIdempotent?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The time until it fails with 'deadline exceeded'. */
  readonly timeoutMs?: number;
}

/** A call whose responses do not end. */
const callMsMax = 60_000;
/** The pause between two rounds if no endpoint answers. */
const reconnectMsMin = 50;
const reconnectMsMax = 1_000;
/** How long to wait for an endpoint before the next one is tried in parallel. */
const staggerMs = 500;
/** With several endpoints, one that leaves a call unanswered for this long must answer a ping. */
const silenceMsMax = 2_000;

export class GrpcChannel {
  readonly #options: ChannelOptions;
  #session: Promise<ClientHttp2Session> | undefined;
  /** The index of the endpoint in use, or to be tried first. */
  #endpoint = 0;
  #closed = false;
  /** Calls with many responses, by connection. */
  readonly #streams = new Map<GrpcStream, ClientHttp2Session>();

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /**
   * One request, one response. Waits for an endpoint as long as the time-out allows. Once sent, a call is repeated only
   * if it `isIdempotent`, or if the endpoint reports that it has not started it.
   * @throws GrpcError
   */
  async unary(path: string, request: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> {
    const { clock, endpoints, timeoutMs: callMs = callMsMax } = this.#options;
    const endMs = clock.monotonic() + (options.timeoutMs ?? callMs);
    let failures = 0;
    for (let delayMs = reconnectMsMin; ; delayMs = Math.min(delayMs * 2, reconnectMsMax)) {
      const { stream, session } = await this.#openInTime(path, endMs, options.signal);
      const timeoutMs = Math.max(0, endMs - clock.monotonic());
      try {
        return await this.#answerOf(stream, session, request, { ...options, timeoutMs });
      } catch (failure) {
        const isIdempotent = options.isIdempotent === true && failures++ < endpoints.length;
        if (!isUnavailable(failure) || this.#closed || !(isIdempotent || this.#isNotBegun(failure)))
          throw failure;
        if (clock.monotonic() + delayMs >= endMs) throw failure;
      }
      await clock.sleep(delayMs, options.signal);
    }
  }

  /** A call with many requests and responses. @throws GrpcError if no endpoint answers */
  async stream(path: string): Promise<GrpcStream> {
    const { stream, session } = await this.#open(path);
    const call = new GrpcStream(stream);
    this.#streams.set(call, session);
    stream.once('close', () => this.#streams.delete(call));
    return call;
  }

  close(): void {
    this.#closed = true;
    this.#session?.then(
      (session) => session.destroy(),
      () => undefined,
    );
  }

  /** @throws GrpcError if no endpoint answers in time */
  async #openInTime(path: string, endMs: number, signal: AbortSignal | undefined): Promise<Opened> {
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

  async #open(path: string): Promise<Opened> {
    if (this.#closed) throw new GrpcError(grpcCodes.cancelled, 'the channel is closed');
    this.#session ??= this.#connect();
    const session = await this.#session;
    const stream = session.request({
      ...this.#options.metadata,
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    // Called by the reader of the stream.
    stream.on('error', () => undefined);
    const look = (headers: IncomingHttpHeaders): void => {
      if (Number(headers['grpc-status']) === grpcCodes.unavailable) this.#passOver(session);
    };
    stream.on('response', look).on('trailers', look);
    return { stream, session };
  }

  /**
   * An endpoint that cannot serve is replaced: its calls in progress continue, its long-running streams are ended so
   * that they move to another endpoint.
   */
  #passOver(session: ClientHttp2Session): void {
    const { endpoints } = this.#options;
    if (endpoints.length === 1 || session.closed) return;
    this.#turnToNext();
    session.close();
    for (const [call, its] of this.#streams)
      if (its === session) call.cancel(new GrpcError(grpcCodes.unavailable, 'the endpoint is passed over'));
  }

  #turnToNext(): void {
    this.#endpoint = (this.#endpoint + 1) % this.#options.endpoints.length;
    this.#session = undefined;
  }

  #isNotBegun(failure: unknown): boolean {
    return failure instanceof GrpcError && this.#options.isNotBegun?.(failure) === true;
  }

  /** Tries the endpoints in turn, each in parallel with earlier ones that have not answered yet. */
  async #connect(): Promise<ClientHttp2Session> {
    const { endpoints, service = 'etcd' } = this.#options;
    const first = this.#endpoint;
    let connected: ClientHttp2Session | undefined;
    let failure: unknown;
    const attempt = async (index: number): Promise<void> => {
      try {
        const session = await openSession(endpoints[index]!, this.#options, (lost) => this.#forget(lost));
        if (connected !== undefined || this.#closed) session.destroy();
        if (connected !== undefined) return;
        connected = session;
        this.#endpoint = index;
      } catch (reason) {
        failure = reason;
      }
    };
    const attempts: Promise<void>[] = [];
    for (let i = 0; i < endpoints.length && connected === undefined; i++) {
      attempts.push(attempt((first + i) % endpoints.length));
      await this.#settledSoon(attempts.at(-1)!);
    }
    const pending = new Set(attempts);
    for (const each of attempts) whenFulfilled(each, () => pending.delete(each));
    while (connected === undefined && pending.size > 0) await Promise.race(pending);
    if (connected !== undefined) return connected;
    this.#session = undefined;
    const message = `no ${service} endpoint answers (${endpoints.join(', ')}): ${messageOf(failure)}`;
    throw new GrpcError(grpcCodes.unavailable, message);
  }

  /** Resolves when the attempt has ended, or has taken so long that the next endpoint is tried as well. */
  async #settledSoon(attempt: Promise<void>): Promise<void> {
    const { clock } = this.#options;
    const settled = new AbortController();
    const late = clock.sleep(staggerMs, settled.signal).catch(() => undefined);
    await Promise.race([attempt, late]);
    settled.abort();
  }

  #forget(session: ClientHttp2Session): void {
    const current = this.#session;
    current?.then(
      (held) => {
        if (held === session && this.#session === current) this.#turnToNext();
      },
      () => undefined,
    );
  }

  async #answerOf(
    stream: ClientHttp2Stream,
    session: ClientHttp2Session,
    request: Uint8Array,
    { signal, timeoutMs = callMsMax }: CallOptions,
  ): Promise<Uint8Array> {
    const { clock, endpoints } = this.#options;
    const call = new GrpcStream(stream);
    const timer = clock.after(timeoutMs, () =>
      call.cancel(new GrpcError(grpcCodes.deadlineExceeded, 'context deadline exceeded')),
    );
    const silence =
      endpoints.length === 1
        ? undefined
        : clock.after(silenceMsMax, () => mustLive(session, clock), { idle: true });
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
      silence?.cancel();
      signal?.removeEventListener('abort', abort);
    }
  }
}

interface Opened {
  readonly stream: ClientHttp2Stream;
  readonly session: ClientHttp2Session;
}

const isUnavailable = (failure: unknown): boolean => isGrpcFailure(failure, 'unavailable');
