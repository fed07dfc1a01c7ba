/** An HTTP/1.1 agent that connects through a proxy, if there is one. */

import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

type CreateConnection = Agent['createConnection'];

/** @param tunnel opens a connection to the target; undefined if no proxy is used */
export function tunnelled<A extends Agent>(
  agent: A,
  tunnel: ((host: string, port: number) => Promise<Duplex | undefined>) | undefined,
): A {
  if (tunnel === undefined) return agent;
  const direct = agent.createConnection.bind(agent);
  // Adds TLS to the tunnel for encrypted connections.
  const wrapped = (socket: Duplex | undefined, options: Parameters<CreateConnection>[0]): Duplex =>
    socket !== undefined && (agent as { protocol?: string }).protocol === 'http:'
      ? socket
      : (direct({ ...options, socket } as typeof options) as Duplex);
  const create: CreateConnection = (options, callback) => {
    const { host, port } = options as { readonly host: string; readonly port: number | string };
    tunnel(host, Number(port)).then(
      (socket) => callback?.(null, wrapped(socket, options)),
      (error: unknown) => callback?.(error as Error, undefined as unknown as Duplex),
    );
    return undefined;
  };
  agent.createConnection = create;
  return agent;
}
