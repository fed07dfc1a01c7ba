/** `/healthz`, `/livez` and `/readyz` for whoever starts the program; nothing else is served here. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

export interface HealthOptions {
  readonly address: string;
  /** 0: nothing is served. */
  readonly port: number;
  /** Both empty: plain HTTP. */
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly log: (text: string) => void;
}

const healthPaths = new Set(['/healthz', '/livez', '/readyz']);

export function serveHealth(options: HealthOptions): Promise<{ close(): void }> {
  const { address, port, certificateFile, keyFile, log } = options;
  if (port === 0) return Promise.resolve({ close() {} });
  const secure = certificateFile !== '' && keyFile !== '';
  const server = secure
    ? createSecureServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) }, answer)
    : createServer(answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      log(`health on ${secure ? 'https' : 'http'}://${address}:${port}`);
      resolve({ close: () => void server.close() });
    });
  });
}

const answer: RequestListener = (request, response) => {
  const healthy = healthPaths.has(request.url?.split('?')[0] ?? '');
  response.writeHead(healthy ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(healthy ? 'ok' : '404 page not found\n');
};
