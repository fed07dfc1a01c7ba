/** The kubelet side of exec and attach, over SPDY or a WebSocket, as the client requests. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { finished } from 'node:stream/promises';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { Clock } from '@coxswain/apimachinery';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { negotiateSpdy } from '../spdy/negotiate.ts';
import { SpdyConnection } from '../spdy/spdy-connection.ts';
import type { SpdyStream } from '../spdy/spdy-stream.ts';
import { refusal, spdyHeaders, type RequestHeaders, type UpgradeReply } from '../upgrade-reply.ts';
import { WebSocketChannels } from '../websocket/channels.ts';
import { acceptHeaders, chooseProtocol, isWebSocketRequest } from '../websocket/handshake.ts';
import type { CommandStatus } from './command-status.ts';
import {
  channelCount,
  channelOf,
  hasResize,
  hasStatus,
  spdyProtocols,
  webSocketProtocols,
  type StreamType,
  type TerminalSize,
  type WantedStreams,
} from './protocols.ts';
import { terminalSizes } from './terminal-sizes.ts';

export interface CommandSession {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  readonly sizes?: AsyncIterable<TerminalSize>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ServeWebSocketOptions {
  readonly headers: RequestHeaders;
  readonly wanted: WantedStreams;
  /** Defaults to all versions. */
  readonly protocols?: readonly string[];
  /** Runs with the streams; its status is sent last. */
  run(session: CommandSession): Promise<CommandStatus>;
}

export interface ServeCommandOptions extends Omit<ServeWebSocketOptions, 'protocols'> {
  readonly clock: Clock;
}

/** How long a client may take to open all streams, as upstream. */
const streamCreationMsMax = 30_000;

export function serveRemoteCommand(options: ServeCommandOptions): UpgradeReply {
  return isWebSocketRequest(options.headers) ? serveCommandOverWebSocket(options) : overSpdy(options);
}

export function serveCommandOverWebSocket(options: ServeWebSocketOptions): UpgradeReply {
  const protocol = chooseProtocol(options.headers, options.protocols ?? webSocketProtocols);
  const headers = protocol === undefined ? undefined : acceptHeaders(options.headers, protocol);
  if (protocol === undefined || headers === undefined) return refusal(protocol === undefined ? 403 : 400, '');
  return {
    status: 101,
    headers,
    accept(socket, head) {
      const { webSocket, channels, send } = channelsOf(socket, head, protocol);
      const { stdout, stderr } = options.wanted;
      // An empty message informs the client that the connection is established.
      send(stdout ? channelOf.stdout : stderr ? channelOf.stderr : channelOf.error, new Uint8Array(0));
      const streams = new Map(Object.entries(channelOf).map(([type, index]) => [type, channels[index]!]));
      const close = () => webSocket.close();
      detach(runWith(options, { protocol, streams, close, closed: webSocket.closed }));
    },
  };
}

function channelsOf(socket: Duplex, head: Uint8Array, protocol: string) {
  const mux = new WebSocketChannels({ socket, head, side: 'server', protocol, count: channelCount });
  return {
    webSocket: mux.webSocket,
    channels: mux.channels,
    send: (index: number, bytes: Uint8Array) => mux.send(index, bytes),
  };
}

function overSpdy(options: ServeCommandOptions): UpgradeReply {
  const negotiated = negotiateSpdy(options.headers, spdyProtocols);
  if (!('protocol' in negotiated)) return negotiated;
  const { protocol } = negotiated;
  return {
    status: 101,
    headers: spdyHeaders(protocol),
    accept(socket, head) {
      const streams = new Map<string, SpdyStream>();
      const expected = expectedStreams(options.wanted, protocol);
      const complete = Promise.withResolvers<boolean>();
      const connection = new SpdyConnection({
        socket,
        head,
        side: 'server',
        onStream(stream) {
          const type = stream.headers['streamtype'] ?? '';
          if (!(type in channelOf) || streams.has(type)) return false;
          streams.set(type, stream);
          if (streams.size === expected) complete.resolve(true);
          return true;
        },
      });
      const timer = options.clock.after(streamCreationMsMax, () => complete.resolve(false), { idle: true });
      whenFulfilled(connection.closed, () => complete.resolve(false));
      whenFulfilled(complete.promise, (isComplete) => {
        timer.cancel();
        const close = () => connection.close();
        if (isComplete) detach(runWith(options, { protocol, streams, close, closed: connection.closed }));
        else close();
      });
    },
  };
}

/** The error stream always exists. */
function expectedStreams({ stdin, stdout, stderr, tty }: WantedStreams, protocol: string): number {
  return [true, stdin, stdout, stderr, tty && hasResize(protocol)].filter(Boolean).length;
}

interface Connected {
  readonly protocol: string;
  readonly streams: ReadonlyMap<string, Duplex>;
  readonly close: () => void;
  readonly closed: Promise<void>;
}

async function runWith({ wanted, run }: ServeWebSocketOptions, connected: Connected): Promise<void> {
  const { protocol, streams, close, closed } = connected;
  const stream = (type: StreamType, isWanted: boolean) => (isWanted ? streams.get(type) : undefined);
  const gone = new AbortController();
  whenFulfilled(closed, () => gone.abort(new Error('the client is gone')));
  const stdin = stream('stdin', wanted.stdin);
  const stdout = stream('stdout', wanted.stdout);
  const stderr = stream('stderr', wanted.stderr);
  const resize = stream('resize', wanted.tty);
  const session: CommandSession = {
    ...(stdin && { stdin }),
    ...(stdout && { stdout }),
    ...(stderr && { stderr }),
    ...(resize && { sizes: terminalSizes(resize) }),
    signal: gone.signal,
  };
  const status = await run(session);
  const reported = streams.get('error');
  const text = hasStatus(protocol)
    ? JSON.stringify({ metadata: {}, ...status })
    : status.status === 'Success'
      ? ''
      : (status.message ?? '');
  if (text !== '') reported?.write(text);
  const outputs = [stdout, stderr, reported].filter((one) => one !== undefined);
  await Promise.all(outputs.map(endOf));
  close();
}

/** Resolves when everything was written, or the client has disconnected. */
async function endOf(stream: Duplex): Promise<void> {
  stream.end();
  await finished(stream, { readable: false }).catch(() => undefined);
}
