/** One request to what listens on a port of a simulated container. */

import { servePage } from '../http-page.ts';
import { joined } from '../process/byte-input.ts';
import type { Listener } from './pod-network.ts';

export interface HttpRequestText {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** `name: value` */
  readonly headers: readonly string[];
  readonly body?: string;
}

export interface HttpResponseText {
  readonly status: number;
  /** From the status line to the empty line. */
  readonly head: string;
  readonly body: Uint8Array;
}

export async function exchangeHttp(
  { pod, container, port }: Listener,
  { method, path, headers, body = '' }: HttpRequestText,
): Promise<HttpResponseText> {
  const content = new TextEncoder().encode(body);
  const length = content.length > 0 ? [`Content-Length: ${content.length}`] : [];
  const head = [`${method} ${path} HTTP/1.1`, ...headers, ...length, 'Connection: close', '', ''].join(
    '\r\n',
  );
  const received: Uint8Array[] = [];
  await servePage(pod, container, port, {
    stdin: (async function* () {
      yield new TextEncoder().encode(head);
      if (content.length > 0) yield content;
    })(),
    stdout: (chunk) => void received.push(chunk),
  });
  return responseOf(joined(received));
}

function responseOf(bytes: Uint8Array): HttpResponseText {
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.indexOf('\r\n\r\n') + 4;
  const head = text.slice(0, end);
  return { status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]), head, body: bytes.subarray(end) };
}
