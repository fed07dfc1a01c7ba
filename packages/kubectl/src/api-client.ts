/** What commands need of a connection to an API server, over the client library's REST client. */
import type { RestClient } from '@coxswain/client';
import { answerObject } from '@coxswain/client/rest/answer.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As on the request line, may have a query. */
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
   * The object that the server answers with.
   * @throws StatusError when the server refuses
   * @throws ConnectionError when no answer comes
   */
  request<T>(request: ApiRequest): Promise<T>;
  /** The answer as text, whatever it is. Same errors. */
  text(request: ApiRequest): Promise<string>;
  /** The body as it comes in. Same errors. */
  stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>>;
}

export interface ApiClientOptions {
  /** Turns what a transport throws into what a user reads. */
  explain(failure: unknown): unknown;
  /** What one request may take with its answer; 0 for no limit. */
  readonly timeoutMs: number;
}

export function apiClient(rest: RestClient, { explain, timeoutMs }: ApiClientOptions): ApiClient {
  const limited = (signal: AbortSignal | undefined) => {
    if (timeoutMs === 0) return { signal };
    const stop = new AbortController();
    rest.clock.after(timeoutMs, () => stop.abort(explain(new RequestTimeout())), { idle: true });
    return { timeoutMs, signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]) };
  };
  const send = async (request: ApiRequest) => {
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
        ...limited(request.signal),
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
      const answer = await send(request);
      return answer.events === undefined ? answer.stream() : eventLines(answer.events);
    },
  };
}

/** Events of a transport that carries objects, as the lines they would be on a wire. */
async function* eventLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) {
    for (const event of batch) yield new TextEncoder().encode(`${JSON.stringify(event)}\n`);
  }
}

export const getJson = <T>(client: ApiClient, path: string, headers?: ApiRequest['headers']): Promise<T> =>
  client.request<T>({ method: 'GET', path, ...(headers ? { headers } : {}) });

/** --request-timeout is over. */
export class RequestTimeout extends Error {
  constructor() {
    super('net/http: request canceled (Client.Timeout exceeded while awaiting headers)');
  }
}
