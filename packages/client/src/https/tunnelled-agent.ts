/** An agent of HTTP/1.1 whose connections lead through a proxy, where there is one. */

import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

type CreateConnection = Agent['createConnection'];

/** @param tunnel opens the way to where the agent connects; undefined when there is nothing in it */
export function tunnelled<A extends Agent>(
  agent: A,
  tunnel: ((host: string, port: number) => Promise<Duplex | undefined>) | undefined,
): A {
  if (tunnel === undefined) return agent;
  const direct = agent.createConnection.bind(agent);
  // Over the tunnel goes TLS, or what is said in plain text.
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
