/** Webhooks over HTTPS. A renewed certificate is reloaded. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aborted, type Clock, type Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Runnable } from '../manager.ts';
import { BadReview, type WebhookHandler } from './admission.ts';
import type { ServingIdentity, WebhookCertificates } from './certificates/webhook-certificates.ts';

/** The source of the server's certificate: PEM files, or {@link webhookCertificates}. */
export type CertificateSource =
  | { readonly certFile: string; readonly keyFile: string }
  | { readonly certificates: WebhookCertificates };

/** The certificate and the handlers of a server. */
export type WebhookServerOptions = CertificateSource & WebhookServing;

interface WebhookServing {
  /** Defaults to 9443; 0 picks a free port. */
  readonly port?: number;
  /** Defaults to all addresses. */
  readonly host?: string;
  /** By path: `{ '/validate-widgets': validating(Widget, …) }`. */
  readonly handlers: Readonly<Record<string, WebhookHandler>>;
  readonly onListening?: (port: number) => void;
}

const portDefault = 9443;
/** A review contains an object at most twice, each up to 3 MB of JSON, with some overhead. */
const bodyBytesMax = 8 * 1024 * 1024;
/** The interval at which certificates are checked, as in controller-runtime. */
const certificateCheckMs = 10_000;

/**
 * A part of a manager that serves webhooks over HTTPS, and reloads renewed certificates without a restart.
 * @example
 * const handlers = { '/validate': validating(Widget, () => undefined) };
 * manager.add(webhookServer({ certFile: '/certs/tls.crt', keyFile: '/certs/tls.key', handlers }));
 */
export const webhookServer = (options: WebhookServerOptions): Runnable => ({
  name: 'webhooks',
  async start(manager, signal) {
    // Without a certificate the program is not ready; it may be stopped before it has one.
    const first = await Promise.race([firstIdentity(options), aborted(signal)]);
    if (first === undefined) return;
    const server = createServer(first, (request, response) => {
      answer(options.handlers, request, response).catch((error: unknown) => {
        manager.onError(error, 'webhooks');
        response.destroy();
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? portDefault, options.host, resolve);
    });
    options.onListening?.((server.address() as AddressInfo).port);
    const following = followCertificate(server, first, options, manager.clock, (error) =>
      manager.onError(error, 'webhooks'),
    );
    await new Promise<void>((resolve) => {
      const close = () => {
        following.cancel();
        // Requests in progress are completed.
        server.close(() => resolve());
        server.closeIdleConnections();
      };
      if (signal.aborted) close();
      else signal.addEventListener('abort', close, { once: true });
    });
  },
});

const firstIdentity = async (source: CertificateSource): Promise<ServingIdentity> =>
  'certificates' in source ? source.certificates.ready : identityOf(source);

function identityOf(source: CertificateSource): ServingIdentity {
  if ('certificates' in source) return source.certificates.identity!;
  return { cert: readFileSync(source.certFile, 'utf8'), key: readFileSync(source.keyFile, 'utf8') };
}

function followCertificate(
  server: Server,
  first: ServingIdentity,
  source: CertificateSource,
  clock: Clock,
  onError: (error: unknown) => void,
): Timer {
  let shown = first;
  let timer: Timer;
  const look = () => {
    try {
      const now = identityOf(source);
      if (now.cert !== shown.cert || now.key !== shown.key) {
        server.setSecureContext(now);
        shown = now;
      }
    } catch (error) {
      // Only one of the two files has been renewed so far: the last certificate remains in use.
      onError(error);
    }
    timer = clock.after(certificateCheckMs, look, { idle: true });
  };
  timer = clock.after(certificateCheckMs, look, { idle: true });
  return { cancel: () => timer.cancel() };
}

async function answer(
  handlers: WebhookServerOptions['handlers'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0]!;
  const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
  if (handler === undefined) return refuse(response, 404, `no webhook at ${path}`);
  if (request.method !== 'POST') return refuse(response, 405, 'only POST is allowed');
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/json'))
    return refuse(response, 415, `contentType=${type}, expected application/json`);
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, 413, `the body exceeds ${bodyBytesMax} bytes`);
  let answered: unknown;
  try {
    answered = await handler(parse(body));
  } catch (error) {
    if (!(error instanceof BadReview)) throw error;
    return refuse(response, 400, error.message);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answered));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new BadReview(`the body is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Undefined if the body is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  return bytes > bodyBytesMax ? undefined : Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}
