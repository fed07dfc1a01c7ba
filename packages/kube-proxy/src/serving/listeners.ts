import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

/** A response to a health or metrics request. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const jsonPage = (status: number, body: string, headers = {}): Page => ({
  status,
  type: 'application/json',
  body,
  headers: { 'x-content-type-options': 'nosniff', ...headers },
});

export const textPage = (body: string, status = 200): Page => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
  headers: { 'x-content-type-options': 'nosniff' },
});

/** Responses by path; any other path is not found. */
export const pages =
  (byPath: Readonly<Record<string, () => Page>>): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const page = Object.hasOwn(byPath, path) ? byPath[path]!() : textPage('404 page not found\n', 404);
    response.writeHead(page.status, { 'content-type': page.type, ...page.headers });
    response.end(request.method === 'HEAD' ? undefined : page.body);
  };

/**
 * @param options.ipv6Only whether `::` leaves IPv4 addresses to another listener; otherwise it covers both families
 * @throws the listener's error, such as EADDRINUSE
 */
export function listen(
  answer: RequestListener,
  host: string,
  port: number,
  { ipv6Only = false } = {},
): Promise<Server> {
  const server = createServer(answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only }, () => {
      server.off('error', reject);
      // It must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

export function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** `[::]:10256` → host and port. */
export function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|(.*)):(\d+)$/.exec(address) ?? [];
  return { host: bracketed ?? plain ?? '', port: Number(port) };
}
