/** The health endpoint alone, without TLS or authentication, for local clients. */
import { createServer } from 'node:http';

export interface HealthPort {
  readonly port: number;
  close(): Promise<void>;
}

/** @throws the listener's error, such as EADDRINUSE */
export async function serveHealth(host: string, port: number): Promise<HealthPort> {
  const server = createServer((request, response) => {
    const isHealth = /^\/healthz(\?|$)/.test(request.url ?? '');
    response.writeHead(isHealth ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(isHealth ? 'ok' : '404 page not found\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
