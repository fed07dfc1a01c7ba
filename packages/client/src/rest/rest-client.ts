/**
 * One request, from its parts to the response: checks, rate limit, back-off, sending, retries, warnings, errors. Every
 * access to an API server goes through here, whatever the transport.
 */

import {
  here,
  formatDurationMs,
  runStep,
  systemClock,
  type Clock,
  type GroupResource,
  type KubeObject,
  type StepObserver,
  type WatchEvent,
} from '@coxswain/apimachinery';
import { relayed } from '@coxswain/apimachinery/relayed-signal.ts';
import type { Transport, TransportBody, TransportRequest, TransportResponse } from '../transport.ts';
import { answerError, parseJson, retryAfterSeconds } from './answer.ts';
import type { HostBackOff } from './back-off.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { BodyFormat } from './body-format.ts';
import { requestPath, type RequestTarget } from './request-path.ts';
import type { RestMetrics } from './rest-metrics.ts';
import { warningTexts, type WarningHandler } from './warnings.ts';
import { WatchBatches } from './watch-stream.ts';

/** A request as parts, from which the path is built. */
export interface RestRequest extends RequestTarget {
  /** `GET`, `POST`, … */
  readonly verb: string;
  /** An object, or bytes with their own content type. */
  readonly body?: unknown;
  /** The content type of the body. Defaults to JSON. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time limit for the server, which is sent with the request. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The destination of requests, and how they are processed. */
export interface RestClientOptions {
  readonly transport: Transport;
  readonly userAgent?: string;
  readonly rateLimiter?: RateLimiter;
  readonly backOff?: HostBackOff;
  readonly onWarning?: WarningHandler;
  readonly clock?: Clock;
  /** The format of bodies and responses. Defaults to JSON. Not used if objects are passed by reference. */
  readonly bodies?: BodyFormat | undefined;
  /** Observes every request as a step `client/request`, with verb and path; used for `-v=6` and traces. */
  readonly observer?: StepObserver;
  /** Counts every request; if undefined, nothing is counted. */
  readonly metrics?: RestMetrics | undefined;
}

/**
 * The number of retries that the server may request with Retry-After.
 * @internal
 */
export const retriesMax = 10;

/** The delay before retrying after a connection failed without a response, for requests that change nothing. */
const brokenConnectionRetryMs = 1000;

/**
 * Sends single requests, for what {@link ResourceClient} has no method for: logs, health, proxies.
 * @example
 * const { gitVersion } = await client.rest.request<{ gitVersion: string }>({ verb: 'GET', path: '/version' });
 * const log = await client.rest.send({
 *   verb: 'GET',
 *   groupVersion: { group: '', version: 'v1' },
 *   resource: 'pods',
 *   namespace: 'default',
 *   name: 'web',
 *   subresource: 'log',
 *   query: { follow: true },
 * });
 * for await (const bytes of log.stream()) process.stdout.write(bytes);
 * const { status } = await client.rest.raw({ verb: 'GET', path: '/readyz' });
 * const slow = client.rest.with({ rateLimiter: new TokenBucket(client.rest.clock, 5, 10) });
 * for await (const events of slow.watch({ verb: 'GET', path: '/api/v1/pods' })) console.log(events.length);
 */
export class RestClient {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly observer: StepObserver | undefined;
  readonly #options: RestClientOptions;
  readonly #commonHeaders: Readonly<Record<string, string>>;
  readonly #bodies: BodyFormat | undefined;

  constructor(options: RestClientOptions) {
    this.#options = options;
    this.transport = options.transport;
    this.clock = options.clock ?? systemClock;
    this.observer = options.observer;
    this.#bodies = options.transport.structured ? undefined : options.bodies;
    this.#commonHeaders = {
      accept: this.#bodies?.accept ?? 'application/json',
      ...(options.userAgent === undefined ? {} : { 'user-agent': options.userAgent }),
    };
  }

  /** Returns the same client with another user agent, observer or limiter. */
  with(options: Partial<RestClientOptions>): RestClient {
    return new RestClient({ ...this.#options, ...options });
  }

  /**
   * Returns the object in the response.
   * @throws StatusError the server's error
   * @throws Error if the request is invalid or there is no response
   */
  async request<T>(request: RestRequest): Promise<T> {
    const response = await this.send(request);
    const { metrics } = this.#options;
    if (response.object !== undefined) return response.object as T;
    const bytes = await response.bytes();
    metrics?.read(request.verb, bytes.length);
    return (this.#bodies?.isOf(response) ? this.#bodies.decode(bytes) : parseJson(bytes)) as T;
  }

  /** Returns a successful response, whose body must be read by the caller. @throws like {@link RestClient.request} */
  async send(request: RestRequest): Promise<TransportResponse> {
    const response = await this.raw(request);
    if (response.status >= 200 && response.status <= 206) return response;
    const plain = this.#bodies?.isOf(response) ? await withObject(response, this.#bodies) : response;
    throw await answerError(plain, request.verb, groupResourceOf(request), request.name ?? '');
  }

  /** Returns the response, whatever its status, after retries requested by the server. */
  raw(request: RestRequest): Promise<TransportResponse> {
    const path = requestPath(request.verb, withTimeout(request));
    const encoded = this.#encoded(request);
    const message: TransportRequest = {
      method: request.verb,
      path,
      headers: this.#headersOf(encoded === undefined ? request : this.#sentAs(request)),
      ...(request.body === undefined ? {} : { body: encoded ?? this.#encodeBody(request.body) }),
      signal: relayed(request.signal),
      observer: this.observer,
    };
    if (this.#options.metrics !== undefined) return this.#counted(message, this.#options.metrics);
    return this.#observed(message);
  }

  async #counted(message: TransportRequest, metrics: RestMetrics): Promise<TransportResponse> {
    const startMs = this.clock.monotonic();
    try {
      return await this.#observed(message);
    } finally {
      const bytes = message.body instanceof Uint8Array ? message.body.length : 0;
      metrics.over(message.method, this.clock.monotonic() - startMs, bytes);
    }
  }

  #observed(message: TransportRequest): Promise<TransportResponse> {
    const { observer } = this;
    if (observer === undefined) return this.#attempt(message);
    const traceparent = observer.traceParent?.();
    const sent =
      traceparent === undefined ? message : { ...message, headers: { ...message.headers, traceparent } };
    return runStep(observer, here`client/request`, () => this.#attempt(sent), {
      verb: message.method,
      path: message.path,
    });
  }

  /**
   * Yields the events of a watch in batches as they arrive. Ends when the server ends it.
   * @throws StatusError also for an ERROR event
   */
  watch<T extends KubeObject>(
    request: RestRequest,
    onOpen?: () => void,
  ): AsyncGenerator<readonly WatchEvent<T>[], void, void> {
    return new WatchBatches<T>(async () => {
      const response = await this.send({ ...request, query: { ...request.query, watch: 'true' } });
      onOpen?.();
      return response;
    }, this.#bodies);
  }

  async #attempt(message: TransportRequest): Promise<TransportResponse> {
    for (let attempt = 0; ; attempt++) {
      await this.#holdBack(message);
      let response: TransportResponse;
      try {
        response = await this.transport.send(message);
      } catch (error) {
        this.#options.backOff?.note(this.transport.address, undefined);
        this.#options.metrics?.answered(message.method, undefined);
        if (attempt >= retriesMax || message.method !== 'GET' || !isBrokenConnection(error)) throw error;
        this.#options.metrics?.retried(message.method, undefined);
        await this.#waitToRetry(brokenConnectionRetryMs, message, 'the connection broke');
        continue;
      }
      this.#options.backOff?.note(this.transport.address, response.status);
      this.#options.metrics?.answered(message.method, response.status);
      this.observer?.note?.({ status: response.status });
      this.#passWarnings(response);
      const waitSeconds = isRetryable(response.status) ? retryAfterSeconds(response) : undefined;
      if (waitSeconds === undefined || attempt >= retriesMax) return response;
      this.#options.metrics?.retried(message.method, response.status);
      // The body must be read to free the connection.
      await response.bytes();
      await this.#waitToRetry(waitSeconds * 1000, message, `the server answered ${response.status}`);
    }
  }

  #waitToRetry(delayMs: number, { signal }: TransportRequest, reason: string): Promise<void> {
    return runStep(this.observer, here`client/retry`, () => this.clock.sleep(delayMs, signal), {
      delayMs,
      reason,
    });
  }

  async #holdBack({ method, signal }: TransportRequest): Promise<void> {
    const { backOff, rateLimiter, metrics } = this.#options;
    const delayMs = backOff?.delayMs(this.transport.address) ?? 0;
    if (delayMs > 0)
      await runStep(this.observer, here`client/back-off`, () => this.clock.sleep(delayMs, signal), {
        delayMs,
      });
    if (rateLimiter === undefined) return;
    const startMs = metrics === undefined ? 0 : this.clock.monotonic();
    await runStep(
      this.observer,
      here`client/rate-limit`,
      () => rateLimiter.wait(signal),
      undefined,
      rateLimiter.wait,
    );
    metrics?.heldBack(method, this.clock.monotonic() - startMs);
  }

  #passWarnings(response: TransportResponse): void {
    const header = response.headers['warning'];
    if (header === undefined || this.#options.onWarning === undefined) return;
    for (const text of warningTexts(header)) this.#options.onWarning(text);
  }

  #headersOf(request: RestRequest): Readonly<Record<string, string>> {
    if (request.body === undefined && request.accept === undefined && request.headers === undefined) {
      return this.#commonHeaders;
    }
    return {
      ...this.#commonHeaders,
      ...(request.accept === undefined ? {} : { accept: request.accept }),
      ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      ...request.headers,
    };
  }

  /** Encodes the body in the configured format, unless it is already encoded or absent. */
  #encoded({ body, contentType }: RestRequest): Uint8Array | undefined {
    if (this.#bodies === undefined || body === undefined || contentType !== undefined) return undefined;
    return body instanceof Uint8Array ? undefined : this.#bodies.encode(body);
  }

  #sentAs(request: RestRequest): RestRequest {
    return { ...request, contentType: this.#bodies?.contentType ?? 'application/json' };
  }

  #encodeBody(body: unknown): TransportBody {
    if (body instanceof Uint8Array) return body;
    if (this.transport.structured) return { object: body };
    return new TextEncoder().encode(JSON.stringify(body, exactNumber));
  }
}

async function withObject(response: TransportResponse, bodies: BodyFormat): Promise<TransportResponse> {
  return { ...response, object: bodies.decode(await response.bytes()) };
}

/** Integers beyond 2^53 are bigints, which JSON.stringify rejects. */
function exactNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value;
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

const isRetryable = (status: number): boolean => status === 429 || status >= 500;

/** Recognizes Node's socket errors; a transport may also mark its own. */
function isBrokenConnection(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && brokenConnectionCodes.has(code)) return true;
  return cause !== undefined && cause !== error && isBrokenConnection(cause);
}

const brokenConnectionCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_HTTP2_STREAM_ERROR',
]);

function withTimeout(request: RestRequest): RequestTarget {
  if (request.timeoutMs === undefined) return request;
  return { ...request, query: { ...request.query, timeout: formatDurationMs(request.timeoutMs) } };
}

const groupResourceOf = (request: RestRequest): GroupResource => ({
  group: request.groupVersion?.group ?? '',
  resource: request.resource ?? '',
});
