/** The server side of an in-process HTTP/1.1 connection, and a client that writes raw bytes. */
import { duplexPair, type Duplex } from 'node:stream';
import type { IncomingRequest } from '../http/api-request.ts';
import { textResponse, type ApiResponse } from '../http/api-response.ts';
import { Http1Connection } from '../http/http1/http1-connection.ts';
import { readBody } from '../http/request-body.ts';
import type { ServeRequest } from '../http/serving-options.ts';

export interface RawClient {
  readonly connection: Http1Connection;
  readonly client: Duplex;
  /** `POST /path body` of each executed request, in order. */
  readonly served: string[];
  /** Sends each piece separately. */
  send(...pieces: readonly string[]): Promise<void>;
  /** Everything received so far. */
  received(): string;
  isClosed(): boolean;
}

export function rawClient(serve?: ServeRequest): RawClient {
  const [client, server] = duplexPair();
  const served: string[] = [];
  const peer = { address: '', tls: true, protocol: 'HTTP/1.1' } as const;
  const connection = new Http1Connection(server, {
    peer,
    serve: serve ?? ((request) => noted(request, served)),
  });
  let text = '';
  let isClosed = false;
  client.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  client.on('end', () => (isClosed = true));
  return {
    connection,
    client,
    served,
    async send(...pieces) {
      for (const piece of pieces) {
        client.write(Buffer.from(piece, 'latin1'));
        await turn();
      }
      await settled();
    },
    received: () => text,
    isClosed: () => isClosed,
  };
}

/** Reads the body and responds with the path, an event-loop turn later. */
async function noted(request: IncomingRequest, served: string[]): Promise<ApiResponse> {
  const body = Buffer.from(await readBody(request.body)).toString('latin1');
  await turn();
  served.push(`${request.method} ${request.path} ${body}`);
  return textResponse(200, request.path);
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const turnsEnough = 20;

export async function settled(): Promise<void> {
  for (let turns = 0; turns < turnsEnough; turns++) await turn();
}

/** The status lines in the received text. */
export const statusesIn = (text: string): string[] => text.match(/HTTP\/1\.[01] \d{3}[^\r]*/g) ?? [];
