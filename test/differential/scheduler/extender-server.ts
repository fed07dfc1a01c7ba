/** An HTTP server that plays an extender, and notes what it is asked. */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ExtenderAnswer {
  /** 200 when absent. */
  readonly status?: number;
  /** Text stays as it is. */
  readonly body?: unknown;
  /** Never answers. */
  readonly isSilent?: boolean;
}

export interface Asked {
  readonly verb: string;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

/** By verb. */
export type ExtenderAnswers = Readonly<Record<string, (args: never) => ExtenderAnswer>>;

export interface ExtenderServer {
  readonly port: number;
  readonly asked: Asked[];
  answers: ExtenderAnswers;
  close(): Promise<void>;
}

/** @param tls the server's certificate, and whether it wants one; plain HTTP when absent */
export async function extenderServer(tls?: ServerOptions): Promise<ExtenderServer> {
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const verb = (request.url ?? '').slice(1);
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      state.asked.push({ verb, contentType: request.headers['content-type'], body });
      const answer = state.answers[verb]?.(body as never) ?? { status: 404 };
      if (answer.isSilent) return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
    });
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state: ExtenderServer = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    answers: {},
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return state;
}
