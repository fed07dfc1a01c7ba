/**
 * Passes a client's connection to the runtime, which implements the streaming protocols itself except for the newest.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { textResponse } from '@coxswain/apiserver/http/api-response.ts';
import { upgradeResponse } from '@coxswain/apiserver/http/upgrade-response.ts';
import { asksForWebSocket } from '@coxswain/apiserver/http/upgrade.ts';
import { dialErrorText } from '@coxswain/client/https/dial-error.ts';
import { joinSockets } from '@coxswain/streaming/join-sockets.ts';
import type { AskForSpdy } from '@coxswain/streaming';
import type { WantedStreams } from '../containers/container-access.ts';
import { askForSpdy, refusalOf } from '../containers/runtime-streams.ts';

export interface JoinedStream {
  /** The runtime's URL for the stream. */
  readonly url: string;
  /** Called for a client whose WebSocket protocol the runtime doesn't support. */
  readonly onTranslated: () => void;
}

/** For exec and attach. */
export async function joinCommand(
  request: ApiRequest,
  { url, wanted, onTranslated }: JoinedStream & { readonly wanted: WantedStreams },
): Promise<ApiResponse> {
  const { headers } = request;
  if (!asksForWebSocket(headers)) return joinStream(request, url);
  const { asksForStreamClose, translateCommand } = await import('@coxswain/streaming');
  if (!asksForStreamClose(headers)) return joinStream(request, url);
  onTranslated();
  return upgradeResponse(translateCommand({ headers, wanted, ask: asking(url) }));
}

export async function joinPortForward(
  request: ApiRequest,
  { url, onTranslated }: JoinedStream,
): Promise<ApiResponse> {
  const { headers } = request;
  if (!asksForWebSocket(headers)) return joinStream(request, url);
  const { asksForTunnel, tunnelPortForward } = await import('@coxswain/streaming');
  if (!asksForTunnel(headers)) return joinStream(request, url);
  onTranslated();
  return upgradeResponse(await tunnelPortForward(headers, asking(url)));
}

const asking =
  (url: string): AskForSpdy =>
  (protocols) =>
    askForSpdy(url, protocols).catch((failure: unknown) => {
      const { hostname, port } = new URL(url);
      throw new Error(`error dialing backend: ${dialErrorText(failure, hostname, port)}`, { cause: failure });
    });

/** Only headers of the connection and its protocol are forwarded; the client's other headers are not. */
const passed = /^(connection|upgrade|x-stream-protocol-version|sec-websocket-.*)$/;

function joinStream(request: ApiRequest, url: string): Promise<ApiResponse> {
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
        body: {
          kind: 'upgrade',
          accept: (client, sent) => joinSockets({ socket: client as Duplex, head: sent }, { socket, head }),
        },
      }),
    );
    outgoing.once('response', (answer) => {
      refusalOf(answer).then(({ status, text }) => resolve(textResponse(status, text)), reject);
    });
    outgoing.once('error', reject).end();
  });
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string | readonly string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && passed.test(name) ? [[name, value]] : [],
    ),
  );
