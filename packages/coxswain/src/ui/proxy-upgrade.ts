/** Forwards a WebSocket of the page to the API server, for commands in containers. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Transport } from '@coxswain/client';
import { joinSockets } from '@coxswain/streaming/join-sockets.ts';
import { clusterPrefix } from './guard.ts';
import { pathInCluster } from './proxy-request.ts';

const passedOn = [
  'connection',
  'upgrade',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
] as const;

export async function proxyUpgrade(
  transport: Transport,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { url = '' } = request;
  if (!url.startsWith(clusterPrefix) || transport.upgrade === undefined)
    return refuse(socket, 404, 'Not Found');
  const headers: Record<string, string> = { 'user-agent': 'coxswain-ui' };
  for (const name of passedOn) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  try {
    const answer = await transport.upgrade({ method: 'GET', path: pathInCluster(url), headers });
    if (answer.socket === undefined) return refuse(socket, answer.status, 'Refused');
    socket.write(headOf(answer.headers));
    joinSockets({ socket, head }, { socket: answer.socket, head: answer.head });
  } catch (failure) {
    refuse(socket, 502, messageOf(failure).replaceAll(/[^ -~]/g, ' '));
  }
}

const passedBack = ['connection', 'upgrade', 'sec-websocket-accept', 'sec-websocket-protocol'];

function headOf(headers: Readonly<Record<string, string | readonly string[]>>): string {
  const lines = passedBack
    .filter((name) => headers[name] !== undefined)
    .map((name) => `${name}: ${String(headers[name])}\r\n`);
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`;
}

const refuse = (socket: Duplex, status: number, text: string): void =>
  void socket.end(`HTTP/1.1 ${status} ${text}\r\nconnection: close\r\n\r\n`);
