/** The connection below a session of HTTP/2, where it isn't the one that the session opens itself. */
import { connect, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Opens connections to hosts. */
export type EndpointDial = (host: string, port: number) => Promise<Socket>;

/**
 * A function that gives the connection; undefined where the session opens its own. What is dialled is there already,
 * since the session wants it at once.
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
  // What has come already is in the socket's buffer, which a session over the socket itself would pass by.
  if (!isSecure) return () => Duplex.from(bothWays(socket));
  const name = isIP(host) === 0 ? { servername: host } : {};
  return () => connectTls({ ...identity, ...name, host, socket, ALPNProtocols: ['h2'] });
}

/** Taken by `Duplex.from`, of which its types know nothing. */
const bothWays = (socket: Socket) => ({ readable: socket, writable: socket }) as unknown as Iterable<unknown>;

/** A path that begins with @ is a name in Linux' abstract namespace. */
export function socketPathOf(endpoint: string): string | undefined {
  if (!endpoint.startsWith('unix:')) return undefined;
  const path = endpoint.replace(/^unix:(\/\/[^/]*)?/, '');
  return path.startsWith('/@') ? `\0${path.slice(2)}` : path;
}
