import { createSocket, type Socket } from 'node:dgram';
import type { EndpointAddress } from '../model/service-rule.ts';
import type { ChooseEndpoint, Forwarder } from './forwarder.ts';

/**
 * UDP has no end of a connection: a client that has been silent for this long is forgotten, as in the kernel's
 * conntrack.
 */
const idleMsMax = 120_000;
/** The maximum number of clients; datagrams of further clients are dropped. */
const clientsMax = 4_096;

interface Flow {
  readonly socket: Socket;
  readonly endpoint: EndpointAddress;
  idle: NodeJS.Timeout;
}

/** Forwards datagrams and responses. @throws the socket's error, such as EADDRNOTAVAIL */
export function forwardUdp(host: string, port: number, choose: ChooseEndpoint): Promise<Forwarder> {
  const type = host.includes(':') ? 'udp6' : 'udp4';
  const front = createSocket(type);
  const flows = new Map<string, Flow>();
  const forget = (key: string) => {
    const flow = flows.get(key);
    if (flow === undefined) return;
    flows.delete(key);
    clearTimeout(flow.idle);
    flow.socket.close();
  };
  const idleTimer = (key: string) => setTimeout(() => forget(key), idleMsMax).unref();
  front.on('message', (message, from) => {
    const key = `${from.address} ${from.port}`;
    let flow = flows.get(key);
    if (flow === undefined) {
      const endpoint = flows.size < clientsMax ? choose(from.address) : undefined;
      if (endpoint === undefined) return;
      const socket = createSocket(endpoint.ip.includes(':') ? 'udp6' : 'udp4');
      socket.on('message', (answer) => front.send(answer, from.port, from.address));
      socket.on('error', () => forget(key));
      flow = { socket, endpoint, idle: idleTimer(key) };
      flows.set(key, flow);
    }
    clearTimeout(flow.idle);
    flow.idle = idleTimer(key);
    flow.socket.send(message, flow.endpoint.port, flow.endpoint.ip);
  });
  return new Promise((resolve, reject) => {
    front.once('error', reject);
    front.bind(port, host, () => {
      front.off('error', reject);
      front.on('error', () => {});
      resolve({
        port: front.address().port,
        close() {
          for (const key of flows.keys()) forget(key);
          front.close();
        },
      });
    });
  });
}
