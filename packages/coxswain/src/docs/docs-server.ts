/** Serves the documentation on a loopback address. It contains no secrets and performs no actions. */

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { refuse, securityHeaders } from '../ui/answers.ts';
import { contentTypes } from '../ui/content-types.ts';
import { hostsOf } from '../ui/guard.ts';
import type { Documents } from './docs-archive.ts';

export interface DocsServer {
  /** `http://127.0.0.1:38211/` */
  readonly link: string;
  close(): Promise<void>;
}

/** Files named after their content, such as `assets/app.BTaTKlEt.js`. */
const hasHash = /^assets\/.*\.[\w-]{8}\.(?:lean\.)?\w+$/;

/** The maximum number of connections. */
const connectionsMax = 256;

/** @param port 0 picks a free one @throws Error if the port cannot be listened on */
export async function serveDocs(files: Documents, port: number): Promise<DocsServer> {
  const headers = securityHeaders(contentSecurityPolicy(files));
  const server = createServer((request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    answer(files, request, response);
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, resolve);
  });
  return {
    link: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

function answer(files: Documents, request: IncomingMessage, response: ServerResponse): void {
  // Refuses foreign host names that resolve to this machine (DNS rebinding).
  if (!hostsOf(request.socket.localPort ?? 0).has(request.headers.host ?? ''))
    return refuse(response, 421, 'These pages are served at another address');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Pages can only be read');
  const name = nameOf(request.url ?? '/');
  const bytes = name === undefined ? undefined : files.get(name);
  response.statusCode = bytes === undefined ? 404 : 200;
  response.setHeader('content-type', contentTypes[path.extname(name ?? '')] ?? 'application/octet-stream');
  if (name !== undefined && hasHash.test(name))
    response.setHeader('cache-control', 'public, max-age=31536000, immutable');
  if (bytes !== undefined) return void response.end(bytes);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(files.get('404.html'));
}

/** Undefined for an invalid path. */
function nameOf(url: string): string | undefined {
  try {
    const name = decodeURIComponent(new URL(url, 'http://docs').pathname).slice(1);
    return name === '' || name.endsWith('/') ? `${name}index.html` : name;
  } catch {
    return undefined;
  }
}

/**
 * Nothing from other hosts is loaded or run. Syntax highlighting uses `style` attributes, which no page uses for
 * anything else.
 */
function contentSecurityPolicy(files: Documents): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts(files).join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The hashes, as browsers compute them, of the scripts that a page runs before it is displayed, such as the one for
 * dark mode.
 */
function inlineScripts(files: Documents): readonly string[] {
  const page = Buffer.from(files.get('index.html') ?? '').toString('utf8');
  return [...page.matchAll(/<script(?: id="[\w-]+")?>(.*?)<\/script>/gs)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  );
}
