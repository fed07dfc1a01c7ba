/** The socket of an HTTP/2 session, for endpoints that the session cannot connect to by itself. */
import { connect, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Opens connections to hosts. */
export type EndpointDial = (host: string, port: number) => Promise<Socket>;

/**
 * Returns a function that returns the socket; undefined if the session connects by itself. The connection is opened
 * beforehand, since the session needs it synchronously.
 */
export async function endpointSocket(
  endpoint: string,
  dial: EndpointDial | undefined,
  identity: ConnectionOptions,
): Promise<(() => Duplex) | undefined> {
  const socketPath = socketPathOf(endpoint);
  if (socketPath !== undefined) return () => connect(socketPath);
  if (dial === undefined) return undefined;
  const { protocol, hostname, port } = new URL(endpoint);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = await dial(host, Number(port || (isSecure ? 443 : 80)));
  // Data that has already arrived is in the socket's buffer, which a session directly on the socket would skip.
  if (!isSecure) return () => Duplex.from(bothWays(socket));
  const name = isIP(host) === 0 ? { servername: host } : {};
  return () => connectTls({ ...identity, ...name, host, socket, ALPNProtocols: ['h2'] });
}

/** Accepted by `Duplex.from`, but missing in its types. */
const bothWays = (socket: Socket) => ({ readable: socket, writable: socket }) as unknown as Iterable<unknown>;

/** A path that begins with @ is a name in Linux' abstract namespace. */
export function socketPathOf(endpoint: string): string | undefined {
  if (!endpoint.startsWith('unix:')) return undefined;
  const path = endpoint.replace(/^unix:(\/\/[^/]*)?/, '');
  return path.startsWith('/@') ? `\0${path.slice(2)}` : path;
}
