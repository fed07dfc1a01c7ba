/** An HTTPS server that plays webhooks: what each is to answer is a function, what it got is kept. */
import https from 'node:https';
import http2 from 'node:http2';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  /** Which of the two servers asks. */
  readonly side: string;
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => unknown;

export interface HookServer {
  readonly url: string;
  /** What came since the last time, per side. */
  take(side: string): Received[];
  close(): void;
}

/** Paths are `/SIDE/NAME`. */
export async function openHooks(
  tls: { readonly cert: string; readonly key: string },
  answers: ReadonlyMap<string, Answer>,
  speaksHttp2: boolean,
): Promise<HookServer> {
  const seen = new Map<string, Received[]>();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, side = '', name = '', ...rest] = (request.url ?? '').split(/[/?]/);
    const received: Received = {
      side,
      line: `${request.method} HTTP/${request.httpVersion} /${name}?${rest.join('?')}`,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    seen.getOrInsertComputed(side, () => []).push(received);
    const answer = answers.get(name);
    if (answer === undefined) response.writeHead(404).end('no such hook');
    else await answer(received, response, request);
  };
  const listen = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch((failure: unknown) => console.error(failure));
  const server = speaksHttp2
    ? http2.createSecureServer({ ...tls, allowHTTP1: true }, listen as never)
    : https.createServer(tls, listen);
  server.on('error', () => undefined);
  // A connection that goes while the original sends on it would fail its request.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take(side) {
      const taken = seen.get(side) ?? [];
      seen.delete(side);
      return taken;
    },
    close: () => void server.close(),
  };
}
