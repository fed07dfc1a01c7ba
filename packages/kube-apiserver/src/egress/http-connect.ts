/** Connections through an HTTP CONNECT proxy: over TCP, with or without TLS, or over a Unix socket. */
import { connect, isIPv6, type NetConnectOpts, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { connectTls } from '@coxswain/client/https/connect-tls.ts';
import { goFailureText } from '@coxswain/client/https/go-failure-text.ts';
import { readResponseHead } from '../response-head.ts';

export interface ConnectProxy {
  /** As in messages: `proxy:8131`, or the socket's path. */
  readonly address: string;
  readonly place: { readonly host: string; readonly port: number } | { readonly path: string };
  /** Undefined for plain text. */
  readonly tls?: ConnectionOptions;
}

/** The timeout of each step with the proxy, that of upstream's other dialers. */
const stepMsMax = 30_000;

/** @throws Error that says why the proxy cannot be reached */
export function connectToProxy({ address, place, tls }: ConnectProxy): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tls ? connectTls({ ...tls, ...place }) : connect(place as NetConnectOpts);
    const failed = (failure: Error) => reject(new Error(connectText(failure, place), { cause: failure }));
    socket.setTimeout(stepMsMax, () => socket.destroy(new Error(`dial tcp ${address}: i/o timeout`)));
    socket.once('error', failed);
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      if (socket.destroyed) return;
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

const socketReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ECONNREFUSED: 'connection refused',
  EACCES: 'permission denied',
};

function connectText(failure: NodeJS.ErrnoException, place: ConnectProxy['place']): string {
  if ('host' in place) return goFailureText(failure, place.host, place.port);
  return `dial unix ${place.path}: connect: ${socketReasons[failure.code ?? ''] ?? failure.message}`;
}

/**
 * Asks the proxy at the other end of a connection for a tunnel to an address.
 * @returns the same connection, which now leads to the address
 * @throws Error with upstream's message when the proxy refuses; the connection is closed then
 */
export async function tunnelTo(
  host: string,
  port: number,
  { address }: ConnectProxy,
  socket: Socket,
): Promise<Socket> {
  const wanted = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  try {
    socket.write(`CONNECT ${wanted} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    const { status, statusLine, rest } = await readResponseHead(socket).catch((failure: Error) => {
      throw new Error(
        `reading HTTP response from CONNECT to ${wanted} via proxy ${address} failed: ${failure.message}`,
        { cause: failure },
      );
    });
    if (status !== 200)
      throw new Error(`proxy error from ${address} while dialing ${wanted}, code ${status}: ${statusLine}`);
    // An HTTP/2 server speaks first; upstream fails if its first bytes arrive too early.
    if (rest.length > 0) socket.unshift(rest);
  } catch (failure) {
    socket.on('error', () => undefined).destroy();
    throw failure;
  }
  socket.setTimeout(0);
  socket.removeAllListeners('timeout');
  return socket;
}
