/** The kubelet side of port forwarding. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { negotiateSpdy } from '../spdy/negotiate.ts';
import { SpdyConnection } from '../spdy/spdy-connection.ts';
import type { SpdyStream } from '../spdy/spdy-stream.ts';
import { refusal, spdyHeaders, type RequestHeaders, type UpgradeReply } from '../upgrade-reply.ts';
import { WebSocketChannels } from '../websocket/channels.ts';
import { acceptHeaders, chooseProtocol, isWebSocketRequest } from '../websocket/handshake.ts';
import { webSocketTunnel } from '../websocket/tunnel.ts';
import { asksForTunnel, portForwardProtocol, tunnelPrefix } from './protocols.ts';

export interface ServePortForwardOptions {
  readonly headers: RequestHeaders;
  /** The ports in the query, which only the pure WebSocket protocol uses. */
  readonly ports: readonly string[];
  readonly clock: Clock;
  /** Serves one connection; rejects with the message for the error stream. */
  forward(port: number, data: Duplex): Promise<void>;
}

/** How long a client may take to open the second stream of a pair, as upstream. */
const pairMsMax = 30_000;

export function servePortForward(options: ServePortForwardOptions): UpgradeReply {
  const { headers } = options;
  if (!isWebSocketRequest(headers)) return overSpdy(options);
  return asksForTunnel(headers) ? overTunnel(options) : overChannels(options);
}

function overSpdy(options: ServePortForwardOptions): UpgradeReply {
  const negotiated = negotiateSpdy(options.headers, [portForwardProtocol]);
  if (!('protocol' in negotiated)) return negotiated;
  return {
    status: 101,
    headers: spdyHeaders(negotiated.protocol),
    accept: (socket, head) => serveSpdy(options, socket, head),
  };
}

function overTunnel(options: ServePortForwardOptions): UpgradeReply {
  const protocol = chooseProtocol(options.headers, [tunnelPrefix + portForwardProtocol]);
  const headers = protocol === undefined ? undefined : acceptHeaders(options.headers, protocol);
  if (headers === undefined) return refusal(protocol === undefined ? 403 : 400, '');
  return {
    status: 101,
    headers,
    accept: (socket, head) => serveSpdy(options, webSocketTunnel({ socket, head, side: 'server' })),
  };
}

interface Pair {
  data?: SpdyStream;
  error?: SpdyStream;
}

function serveSpdy(options: ServePortForwardOptions, socket: Duplex, head?: Uint8Array): void {
  const waiting = new Map<string, Pair>();
  new SpdyConnection({
    socket,
    ...(head && { head }),
    side: 'server',
    onStream(stream) {
      const type = stream.headers['streamtype'];
      if (portOf(stream.headers['port'] ?? '') === undefined || (type !== 'data' && type !== 'error'))
        return false;
      const id = requestId(stream, type);
      let pair = waiting.get(id);
      if (pair === undefined) {
        pair = {};
        waiting.set(id, pair);
        options.clock.after(pairMsMax, () => expire(waiting, id), { idle: true });
      }
      if (pair[type] !== undefined) return false;
      pair[type] = stream;
      const { data, error } = pair;
      if (data === undefined || error === undefined) return true;
      waiting.delete(id);
      detach(forwardPair(options, data, error));
      return true;
    },
  });
}

/** Clients that send no request id open the error stream and then the data stream, so their stream ids are adjacent. */
const requestId = ({ id, headers }: SpdyStream, type: 'data' | 'error'): string =>
  headers['requestid'] ?? String(type === 'error' ? id : id - 2);

function expire(waiting: Map<string, Pair>, id: string): void {
  const pair = waiting.get(id);
  if (pair === undefined) return;
  waiting.delete(id);
  pair.error?.end(`(request=${id}) timed out waiting for streams`);
  pair.data?.reset();
}

async function forwardPair(
  { forward }: ServePortForwardOptions,
  data: SpdyStream,
  error: SpdyStream,
): Promise<void> {
  const port = portOf(data.headers['port'] ?? '')!;
  // The client sends nothing on it, but its end must be read for the stream to be released.
  error.resume();
  try {
    await forward(port, data);
    data.end();
    data.resume();
    error.end();
  } catch (failure) {
    error.end(messageOf(failure));
    await finished(error, { readable: false }).catch(() => undefined);
    data.reset();
  }
}

const channelProtocols = ['', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'];

/** Two channels for each port; both begin with the port in two bytes. */
function overChannels(options: ServePortForwardOptions): UpgradeReply {
  const texts = options.ports.flatMap((text) => text.split(','));
  if (texts.length === 0) return refusal(400, 'query parameter "port" is required');
  const ports = texts.map(portOf);
  if (ports.includes(undefined))
    return refusal(400, `unable to parse "${texts[ports.indexOf(undefined)]}" as a port`);
  const protocol = chooseProtocol(options.headers, channelProtocols);
  const headers = protocol === undefined ? undefined : acceptHeaders(options.headers, protocol);
  if (protocol === undefined || headers === undefined) return refusal(protocol === undefined ? 403 : 400, '');
  return {
    status: 101,
    headers,
    accept(socket, head) {
      const count = ports.length * 2;
      const { channels, webSocket } = new WebSocketChannels({
        socket,
        head,
        side: 'server',
        protocol,
        count,
      });
      const forwards = ports.map((port = 0, index) => {
        const data = channels[index * 2]!;
        const error = channels[index * 2 + 1]!;
        const name = Uint8Array.of(port & 255, port >> 8);
        data.write(name);
        error.write(name);
        return options.forward(port, data).catch((failure: Error) => void error.write(failure.message));
      });
      whenFulfilled(Promise.all(forwards), () => webSocket.close());
    },
  };
}

function portOf(text: string): number | undefined {
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}
