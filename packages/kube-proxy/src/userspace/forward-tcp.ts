import { connect, createServer, type Socket } from 'node:net';
import type { ChooseEndpoint, Forwarder } from './forwarder.ts';

/** An endpoint that does not accept a connection within this time is skipped. */
const connectMsMax = 10_000;

/** Accepts connections and forwards them. @throws the listener's error, such as EADDRNOTAVAIL */
export function forwardTcp(host: string, port: number, choose: ChooseEndpoint): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    const endpoint = choose(plainIp(client.remoteAddress));
    if (endpoint === undefined) return void client.resetAndDestroy();
    const pod = connect({ host: endpoint.ip, port: endpoint.port, allowHalfOpen: true });
    const late = setTimeout(() => pod.destroy(new Error('timeout')), connectMsMax);
    pod.on('error', () => client.resetAndDestroy());
    client.on('close', () => pod.destroy());
    pod.on('close', () => clearTimeout(late));
    pod.on('connect', () => {
      clearTimeout(late);
      client.pipe(pod);
      pod.pipe(client);
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
}

const plainIp = (address = ''): string => address.replace(/^::ffff:/, '');
