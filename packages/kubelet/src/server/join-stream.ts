/** Hands a client's connection through to the runtime, which speaks the streaming protocols itself. */
import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { textResponse } from '@coxswain/apiserver/http/api-response.ts';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';

/** Headers of the connection and of the protocol on it; what is the client's own stays here. */
const passed = /^(connection|upgrade|x-stream-protocol-version|sec-websocket-.*)$/;
const refusalBytesMax = 64 * 1024;

export function joinStream(request: ApiRequest, url: string): Promise<ApiResponse> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name, value]) => value !== undefined && passed.test(name)),
  ) as Record<string, string | string[]>;
  return new Promise((resolve, reject) => {
    const outgoing = requestHttp(url, {
      method: request.method,
      headers: { ...headers, 'content-length': '0' },
      agent: false,
    });
    outgoing.once('upgrade', (answer: IncomingMessage, socket: Duplex, head: Uint8Array) =>
      resolve({
        status: 101,
        headers: headersOf(answer),
        body: { kind: 'upgrade', accept: (client, sent) => join(client as Duplex, sent, socket, head) },
      }),
    );
    outgoing.once('response', (answer) => void refusalOf(answer).then(resolve, reject));
    outgoing.once('error', reject).end();
  });
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string | readonly string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && passed.test(name) ? [[name, value]] : [],
    ),
  );

async function refusalOf(answer: IncomingMessage): Promise<ApiResponse> {
  let text = '';
  for await (const chunk of answer) {
    text += String(chunk);
    if (text.length > refusalBytesMax) break;
  }
  return textResponse(answer.statusCode ?? 500, text);
}

/** Each end's end is the other's. */
function join(client: Duplex, sent: Uint8Array, runtime: Duplex, received: Uint8Array): void {
  const stop = (): void => {
    client.destroy();
    runtime.destroy();
  };
  client.on('error', stop);
  runtime.on('error', stop);
  if (sent.length > 0) runtime.write(sent);
  if (received.length > 0) client.write(received);
  client.pipe(runtime);
  runtime.pipe(client);
}
