/** One request to a port of a simulated container, for programs that do not keep a connection. */

import { answerHead, parseHeader, type HttpAnswer, type HttpServer } from './http-message.ts';

export interface HttpRequestText {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** `name: value` */
  readonly headers: readonly string[];
  readonly body?: string;
}

export interface HttpResponseText extends HttpAnswer {
  /** From the status line to the empty line. */
  readonly head: string;
}

/** @throws NetworkFailure if the server aborts */
export async function exchangeHttp(
  serve: HttpServer,
  { method, path, headers, body = '' }: HttpRequestText,
): Promise<HttpResponseText> {
  const content = new TextEncoder().encode(body);
  const length = content.length > 0 ? [`Content-Length: ${content.length}`] : [];
  const lines = [...headers, ...length, 'Connection: close'];
  const answer = await serve({ method, path, headers: lines.map(parseHeader), body: content });
  return { ...answer, head: answerHead(answer, true) };
}
