/** UDP and TCP at one address (RFC 7766 requires both). */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { framed, FrameReader } from './tcp-frames.ts';

/** Undefined: nothing is sent. */
export type Respond = (query: Uint8Array, isUdp: boolean) => Promise<Uint8Array | undefined>;

export interface ListenAddress {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

export interface DnsListener {
  /** With the actual port. */
  readonly address: ListenAddress;
  close(): Promise<void>;
}

/** The maximum number of connections, and how long one may be silent, in milliseconds. */
const connectionsMax = 512;
const connectionIdleMs = 10_000;
/** The maximum number of queries in progress per connection; further ones wait unread. */
const unansweredMax = 64;

/** @throws the system's error if the address is in use or not available on this machine */
export async function listen(respond: Respond, { host, port }: ListenAddress): Promise<DnsListener> {
  const tcp = createServer({ noDelay: true }, (socket) => serveConnection(socket, respond));
  tcp.maxConnections = connectionsMax;
  tcp.listen(port, host);
  await once(tcp, 'listening');
  const given = (tcp.address() as { port: number }).port;
  const udp = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' });
  udp.on('message', (query, from) => detach(serveDatagram(udp, query, from, respond)));
  try {
    udp.bind(given, host);
    await once(udp, 'listening');
  } catch (failure) {
    tcp.close();
    throw failure;
  }
  udp.on('error', () => {});
  return { address: { host, port: given }, close: () => closeBoth(udp, tcp) };
}

async function serveDatagram(
  udp: UdpSocket,
  query: Uint8Array,
  from: RemoteInfo,
  respond: Respond,
): Promise<void> {
  const answer = await respond(query, true);
  if (answer !== undefined) udp.send(answer, from.port, from.address, () => {});
}

function serveConnection(socket: Socket, respond: Respond): void {
  let unanswered = 0;
  const frames = new FrameReader((query) => {
    if (++unanswered >= unansweredMax) socket.pause();
    whenFulfilled(respond(Uint8Array.from(query), false), (answer) => {
      if (--unanswered < unansweredMax) socket.resume();
      if (answer !== undefined && !socket.destroyed) socket.write(framed(answer));
    });
  });
  socket.setTimeout(connectionIdleMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => frames.read(chunk));
}

async function closeBoth(udp: UdpSocket, tcp: Server): Promise<void> {
  const closed = [once(udp, 'close'), once(tcp, 'close')];
  udp.close();
  tcp.close();
  await Promise.all(closed);
}
