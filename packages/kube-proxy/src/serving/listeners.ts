import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

/** An answer to a question of health or metrics. */
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

/** Answers by path; others are not found. */
export const pages =
  (byPath: Readonly<Record<string, () => Page>>): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const page = Object.hasOwn(byPath, path) ? byPath[path]!() : textPage('404 page not found\n', 404);
    response.writeHead(page.status, { 'content-type': page.type, ...page.headers });
    response.end(request.method === 'HEAD' ? undefined : page.body);
  };

/**
 * @param options.ipv6Only that `::` leaves the addresses of IPv4 to somebody else; otherwise it is all of both families
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
      // It serves for as long as the program works, and is no reason to go on.
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
