/** The client side of exec and attach. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Duplex } from 'node:stream';
import { bytesOf } from '../bytes-of.ts';
import type { UpgradedConnection } from '../join-sockets.ts';
import { SpdyConnection } from '../spdy/spdy-connection.ts';
import { WebSocketChannels } from '../websocket/channels.ts';
import { writerTo } from '../writer-to.ts';
import { failureOf, olderFailureOf } from './command-status.ts';
import {
  channelCount,
  channelOf,
  hasResize,
  hasStatus,
  type StreamType,
  type TerminalSize,
} from './protocols.ts';
import { encodeSize } from './terminal-sizes.ts';

export interface CommandConnection {
  readonly protocol: string;
  open(type: StreamType): Promise<Duplex>;
  readonly closed: Promise<void>;
  close(): void;
}

export interface UpgradedSocket extends UpgradedConnection {
  /** The protocol that the server has chosen. */
  readonly protocol: string;
}

export function commandOverWebSocket({ socket, head, protocol }: UpgradedSocket): CommandConnection {
  const { channels, webSocket } = new WebSocketChannels({
    socket,
    head,
    protocol,
    side: 'client',
    count: channelCount,
  });
  return {
    protocol,
    open: (type) => Promise.resolve(channels[channelOf[type]]!),
    closed: webSocket.closed,
    close: () => webSocket.close(),
  };
}

export function commandOverSpdy({ socket, head, protocol }: UpgradedSocket): CommandConnection {
  const connection = new SpdyConnection({ socket, head, side: 'client' });
  return {
    protocol,
    open: (type) => connection.open({ streamtype: type }),
    closed: connection.closed,
    close: () => connection.close(),
  };
}

export interface CommandStreams {
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** If it returns a promise, further data waits until the promise resolves. */
  readonly stdout?: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
  readonly stderr?: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
  readonly tty: boolean;
  readonly sizes?: AsyncIterable<TerminalSize> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Transfers the streams until the command has ended.
 * @throws CommandExit if it exited with a code other than 0
 * @throws Error the server's message if the command could not run, or the reason of the signal
 */
export async function runRemoteCommand(
  connection: CommandConnection,
  { stdin, stdout, stderr, tty, sizes, signal }: CommandStreams,
): Promise<void> {
  const abort = () => connection.close();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    // The order in which upstream opens them.
    const reported = await connection.open('error');
    const input = stdin && (await connection.open('stdin'));
    const output = stdout && (await connection.open('stdout'));
    const errors = stderr && !tty ? await connection.open('stderr') : undefined;
    const resize = tty && hasResize(connection.protocol) ? await connection.open('resize') : undefined;
    if (resize !== undefined && sizes !== undefined) detach(sendSizes(sizes, resize));
    if (stdin !== undefined && input !== undefined) detach(pump(stdin, input));
    const [text] = await Promise.all([
      textOf(reported),
      output && stdout && drain(output, stdout),
      errors && stderr && drain(errors, stderr),
    ]);
    signal?.throwIfAborted();
    const failure = hasStatus(connection.protocol) ? failureOf(text) : olderFailureOf(text);
    if (failure !== undefined) throw failure;
  } finally {
    signal?.removeEventListener('abort', abort);
    connection.close();
  }
}

async function pump(source: AsyncIterable<Uint8Array>, stream: Duplex): Promise<void> {
  const write = writerTo(stream);
  try {
    for await (const chunk of source) {
      if (stream.destroyed) return;
      await write(chunk);
    }
    stream.end();
  } catch {
    // The command continues without further input, as with a broken pipe.
    stream.end();
  }
}

async function sendSizes(sizes: AsyncIterable<TerminalSize>, stream: Duplex): Promise<void> {
  for await (const size of sizes) {
    if (stream.destroyed) return;
    stream.write(encodeSize(size));
  }
}

async function drain(stream: Duplex, take: (chunk: Uint8Array) => void | Promise<void>): Promise<void> {
  try {
    for await (const chunk of bytesOf(stream)) await take(chunk);
  } catch {
    // A reset means the same as an end here.
  }
}

/** The maximum size of a status, which only contains a short message. */
const statusBytesMax = 1024 * 1024;

async function textOf(stream: Duplex): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await drain(stream, (chunk) => {
    bytes += chunk.length;
    if (bytes <= statusBytesMax) chunks.push(chunk);
  });
  return Buffer.concat(chunks).toString();
}
