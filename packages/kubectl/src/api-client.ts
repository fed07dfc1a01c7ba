/** The connection to an API server that commands use, on top of the client library's REST client. */
import type { RestClient } from '@coxswain/client';
import { answerObject } from '@coxswain/client/rest/answer.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in the request line, including any query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object, sent as JSON, or bytes. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiClient {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  /**
   * Returns the object in the response.
   * @throws StatusError if the server refuses
   * @throws ConnectionError if there is no response
   */
  request<T>(request: ApiRequest): Promise<T>;
  /** Returns the response as text, whatever it is. Throws the same errors. */
  text(request: ApiRequest): Promise<string>;
  /** Returns the body as it arrives. Throws the same errors; reading fails with {@link RequestTimeout}. */
  stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>>;
}

export interface ApiClientOptions {
  /** Converts errors of the transport to messages for users. */
  explain(failure: unknown): unknown;
  /** The timeout of a request including its response; 0 for none. */
  readonly timeoutMs: number;
}

export function apiClient(rest: RestClient, { explain, timeoutMs }: ApiClientOptions): ApiClient {
  /** A signal that aborts at the timeout of a request; undefined without one. */
  const timer = (): AbortSignal | undefined => {
    if (timeoutMs === 0) return undefined;
    const stop = new AbortController();
    rest.clock.after(timeoutMs, () => stop.abort(explain(new RequestTimeout())), { idle: true });
    return stop.signal;
  };
  const limited = (signal: AbortSignal | undefined, timeout: AbortSignal | undefined) => {
    if (timeout === undefined) return { signal };
    return { timeoutMs, signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]) };
  };
  const send = async (request: ApiRequest, timeout = timer()) => {
    const { 'content-type': contentType, accept, ...headers } = request.headers ?? {};
    try {
      return await rest.send({
        verb: request.method,
        path: request.path,
        ...(request.query ? { query: request.query } : {}),
        ...(contentType ? { contentType } : {}),
        ...(accept ? { accept } : {}),
        headers,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...limited(request.signal, timeout),
      });
    } catch (failure) {
      throw explain(failure);
    }
  };
  return {
    server: rest.transport.address,
    request: async <T>(request: ApiRequest) => (await answerObject(await send(request))) as T,
    text: async (request) => {
      const answer = await send(request);
      return answer.object === undefined
        ? new TextDecoder().decode(await answer.bytes())
        : JSON.stringify(answer.object);
    },
    async stream(request) {
      const timeout = timer();
      const answer = await send(request, timeout);
      const body = answer.events === undefined ? answer.stream() : eventLines(answer.events);
      return timeout === undefined ? body : readUntil(timeout, body);
    },
  };
}

async function* readUntil(timeout: AbortSignal, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (failure) {
    throw timeout.aborted ? new RequestTimeout('context deadline exceeded') : failure;
  }
}

/** Converts events of a transport that carries objects to the lines that they would be on the wire. */
async function* eventLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) {
    for (const event of batch) yield new TextEncoder().encode(`${JSON.stringify(event)}\n`);
  }
}

export const getJson = <T>(client: ApiClient, path: string, headers?: ApiRequest['headers']): Promise<T> =>
  client.request<T>({ method: 'GET', path, ...(headers ? { headers } : {}) });

/** The --request-timeout has passed. */
export class RequestTimeout extends Error {
  constructor(message = 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)') {
    super(message);
  }
}
