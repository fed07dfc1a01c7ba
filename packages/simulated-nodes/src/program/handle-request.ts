/** Requests and responses of simulated containers, converted for functions. */

import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { hasBody, headerOf, type HttpAnswer, type HttpRequest } from '../network/http-message.ts';
import { ConnectionReset } from '../network/pod-network.ts';

/** The maximum size of a function's response; the connection is reset beyond it. */
const answerBytesMax = 16 * 1024 * 1024;

/** Returns undefined if the request cannot be represented. @param host used if the request names none */
export function requestFor({ method, path, headers, body }: HttpRequest, host: string): Request | undefined {
  try {
    const authority = headerOf({ headers }, 'host') || host;
    const hasContent = body.length > 0 && method !== 'GET' && method !== 'HEAD';
    return new Request(new URL(path, `http://${authority}/`), {
      method,
      headers: headers.map(([name, value]) => [name, value] as [string, string]),
      ...(hasContent && { body: body as Uint8Array<ArrayBuffer> }),
    });
  } catch {
    return undefined;
  }
}

/**
 * @throws ConnectionReset for `Response.error()` and for a body that is too large; TypeError if it is not a Response
 */
export async function answerFrom(response: unknown): Promise<HttpAnswer> {
  if (!isResponse(response)) throw new TypeError('a request must be answered with a Response');
  if (response.status < 200) throw new ConnectionReset();
  const body = hasBody(response.status) ? await bytesOf(response) : new Uint8Array(0);
  return { status: response.status, headers: [...response.headers], body };
}

/** Test runners have a Response from another realm. */
const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Response).status === 'number' &&
  typeof (value as Response).arrayBuffer === 'function';

async function bytesOf({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    bytes += read.value.length;
    if (bytes > answerBytesMax) {
      void reader?.cancel().catch(() => undefined);
      throw new ConnectionReset();
    }
    chunks.push(read.value);
  }
  return joinedBytes(chunks);
}

export const plainAnswer = (status: number, text: string): HttpAnswer => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: new TextEncoder().encode(`${text}\n`),
});
