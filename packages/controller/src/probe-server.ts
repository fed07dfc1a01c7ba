/** `/healthz`, `/readyz` and `/metrics` of a manager, over plain HTTP, for kubelets and Prometheus. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HealthChecks } from './health-checks.ts';
import type { Manager, Runnable } from './manager.ts';

/** Where the server listens. */
export interface ProbeServerOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Defaults to all addresses. */
  readonly host?: string;
  /** Called with the port as soon as it is open. */
  readonly onListening?: (port: number) => void;
}

/**
 * A part of a manager that serves `/healthz`, `/readyz` and `/metrics` over plain HTTP.
 * @param options where it listens
 * @example
 * manager.add(probeServer({ port: 8081 }));
 */
export const probeServer = ({ port, host, onListening }: ProbeServerOptions): Runnable => ({
  name: 'probes',
  async start(manager, signal) {
    const server = createServer((request, response) => {
      answer(manager, request.url ?? '/', response).catch((error: unknown) => {
        manager.onError(error, 'probes');
        response.destroy();
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    onListening?.((server.address() as AddressInfo).port);
    await new Promise<void>((resolve) => {
      const close = () => {
        server.close(() => resolve());
        server.closeAllConnections();
      };
      if (signal.aborted) close();
      else signal.addEventListener('abort', close, { once: true });
    });
  },
});

async function answer(manager: Manager, url: string, response: ServerResponse): Promise<void> {
  const [, top = '', only] = url.split('?')[0]!.split('/');
  if (top === 'healthz') return answerChecks(manager.healthChecks, top, only, response);
  if (top === 'readyz') return answerChecks(manager.readyChecks, top, only, response);
  if (top === 'metrics' && manager.metrics !== undefined)
    return send(response, 200, manager.metrics.exposition(), 'text/plain; version=0.0.4; charset=utf-8');
  send(response, 404, '404 page not found\n');
}

async function answerChecks(
  checks: HealthChecks,
  top: string,
  only: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const results = await checks.run(only);
  if (results === undefined) return send(response, 404, '404 page not found\n');
  const failed = results.filter(({ failure }) => failure !== undefined);
  if (failed.length === 0) return send(response, 200, 'ok');
  const lines = results.map(({ name, failure }) =>
    failure === undefined ? `[+]${name} ok` : `[-]${name} failed: ${failure}`,
  );
  send(response, 500, [...lines, `${top} check failed`, ''].join('\n'));
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' });
  response.end(text);
}
