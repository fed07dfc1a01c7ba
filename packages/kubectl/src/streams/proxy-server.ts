/** The local end of `kubectl proxy`: forwards requests and upgrades to the API server as the user of the kubeconfig. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import {
  STATUS_CODES,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { htmlText } from '@coxswain/apimachinery/html-text.ts';
import type { Transport } from '@coxswain/client';
import { isAccepted, type ProxyFilter } from './proxy-filter.ts';

export interface ProxyServerOptions {
  readonly transport: Transport;
  /** If undefined, everything is accepted. */
  readonly filter: ProxyFilter | undefined;
  /** Starts and ends with a slash. */
  readonly apiPrefix: string;
  readonly staticPrefix: string;
  /** A directory of files to serve as well; none if empty. */
  readonly staticDirectory: string;
  readonly log: (text: string) => void;
}

/** Hop-by-hop headers, and headers for this proxy. */
const notForwarded = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'http2-settings',
  'authorization',
  'accept-encoding',
]);

/** The maximum size of a client's request body; the API server's limit is lower. */
const bodyBytesMax = 16 * 1024 * 1024;

export function proxyServer(options: ProxyServerOptions): Server {
  const server = createServer((request, response) => {
    serve(options, request, response).catch((failure: Error) => {
      options.log(`Error while proxying request: ${failure.message}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 502, failure.message);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Uint8Array) => {
    socket.on('error', () => socket.destroy());
    carryUpgrade(options, request, socket, head).catch(() => socket.destroy());
  });
  return server;
}

/** Returns the path at the API server; undefined if it isn't served or allowed. */
function targetOf(
  { filter, apiPrefix }: ProxyServerOptions,
  { url = '/', method = '', headers }: IncomingMessage,
): { readonly path: string } | { readonly status: 403 | 404 } {
  const [pathPart = '', query] = url.split(/\?(.*)/s);
  if (!pathPart.startsWith(apiPrefix)) return { status: 404 };
  const kept = apiPrefix.startsWith('/api') ? pathPart : `/${pathPart.slice(apiPrefix.length)}`;
  if (filter && !isAccepted(filter, method, decoded(kept), headers.host ?? '')) return { status: 403 };
  return { path: query === undefined ? kept : `${kept}?${query}` };
}

/** As Go's ServeMux, which serves clean paths only, and the root of a tree with its slash. */
function redirection(
  { apiPrefix, staticDirectory, staticPrefix }: ProxyServerOptions,
  url: string,
): string | undefined {
  const [asked = '', query] = url.split(/(\?.*)/s);
  const clean = path.posix.normalize(asked);
  const isRoot = `${clean}/` === apiPrefix || (staticDirectory !== '' && `${clean}/` === staticPrefix);
  const place = isRoot ? `${clean}/` : clean;
  return place === asked ? undefined : `${place}${query ?? ''}`;
}

function redirect({ method = '' }: IncomingMessage, response: ServerResponse, place: string): void {
  const status = 307;
  const isRead = method === 'GET' || method === 'HEAD';
  response.writeHead(status, {
    location: place,
    ...(isRead && { 'content-type': 'text/html; charset=utf-8' }),
  });
  response.end(method === 'GET' ? `<a href="${htmlText(place)}">${STATUS_CODES[status]}</a>.\n\n` : '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const forwardedHeaders = ({ headers }: IncomingMessage): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !notForwarded.has(name)),
  ) as Record<string, string | string[]>;

async function serve(
  options: ProxyServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { staticDirectory, staticPrefix, transport } = options;
  const place = redirection(options, request.url ?? '/');
  if (place !== undefined) return redirect(request, response, place);
  const pathname = (request.url ?? '/').split('?')[0]!;
  if (staticDirectory !== '' && pathname.startsWith(staticPrefix))
    return serveFile(response, staticDirectory, pathname.slice(staticPrefix.length));
  const target = targetOf(options, request);
  if ('status' in target) return refuse(response, target.status);
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the client is gone')));
  const body = await bodyOf(request);
  const answer = await transport.send({
    method: request.method ?? 'GET',
    path: target.path,
    headers: forwardedHeaders(request),
    ...(body && { body }),
    signal: gone.signal,
  });
  const head = Object.entries(answer.headers).filter(
    ([name]) => !name.startsWith(':') && !notForwarded.has(name) && name !== 'content-encoding',
  );
  response.writeHead(answer.status, Object.fromEntries(head) as Record<string, string | string[]>);
  response.flushHeaders();
  await pipeline(answer.stream(), response).catch(() => response.destroy());
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error(`the body of a request is larger than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return bytes === 0 ? undefined : Buffer.concat(chunks);
}

async function carryUpgrade(
  options: ProxyServerOptions,
  request: IncomingMessage,
  socket: Duplex,
  head: Uint8Array,
): Promise<void> {
  const target = targetOf(options, request);
  const status = 'status' in target ? target.status : 501;
  if ('status' in target || options.transport.upgrade === undefined) {
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    return;
  }
  const { upgrade = '' } = request.headers;
  const answer = await options.transport.upgrade({
    method: request.method ?? 'GET',
    path: target.path,
    headers: { ...forwardedHeaders(request), connection: 'Upgrade', upgrade },
  });
  const body = answer.socket === undefined ? await answer.bytes() : new Uint8Array(0);
  const lines = Object.entries(answer.headers)
    .filter(([name]) => answer.socket !== undefined || !notForwarded.has(name))
    .flatMap(([name, value]) => [value].flat().map((text) => `${name}: ${text}\r\n`));
  socket.write(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}`);
  if (answer.socket === undefined) {
    socket.end(
      Buffer.concat([Buffer.from(`content-length: ${body.length}\r\nconnection: close\r\n\r\n`), body]),
    );
    return;
  }
  socket.write('\r\n');
  if (head.length > 0) answer.socket.write(head);
  if (answer.head.length > 0) socket.write(answer.head);
  const { socket: other } = answer;
  socket.on('close', () => other.destroy());
  other.on('close', () => socket.destroy());
  socket.pipe(other).pipe(socket);
}

function refuse(response: ServerResponse, status: number, text = STATUS_CODES[status] ?? ''): void {
  const body = status === 404 ? '404 page not found\n' : `${text}\n`;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Serves a file, a directory's index.html, or the listing of a directory. */
async function serveFile(response: ServerResponse, directory: string, name: string): Promise<void> {
  const relative = path.posix.normalize(`/${decoded(name)}`);
  const file = path.join(directory, relative);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return refuse(response, 404);
  if (!found.isDirectory()) {
    const type = contentTypes[path.extname(file)] ?? 'text/plain; charset=utf-8';
    response.writeHead(200, { 'content-type': type, 'content-length': found.size });
    return pipeline(createReadStream(file), response);
  }
  if (await stat(path.join(file, 'index.html')).catch(() => undefined))
    return serveFile(response, directory, `${relative}/index.html`);
  const names = await readdir(file, { withFileTypes: true });
  const links = names
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .map((text) => `<a href="${encodeURI(text)}">${htmlText(text)}</a>\n`);
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<pre>\n${links.join('')}</pre>\n`);
}
