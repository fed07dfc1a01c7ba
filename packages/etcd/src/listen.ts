/** One port or socket for gRPC and plain HTTP: the first bytes of a connection or its TLS handshake determine which. */
import { lstatSync, unlinkSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import net, {
  createServer as createTcpServer,
  isIPv4,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { systemClock } from '@coxswain/apimachinery';
import { ServerConnection, preface, type ServerStream } from '@coxswain/http2';
import { answerStream, isGrpc, type AnswerOptions } from '@coxswain/grpc/server/answer-stream.ts';
import type { Methods } from '@coxswain/grpc/server/method.ts';
import type { HttpRoutes } from './http-routes.ts';

/** A port, where 0 means any free one, or a Unix socket. */
export type Endpoint = { readonly host: string; readonly port: number } | { readonly socketPath: string };

export interface ListenOptions {
  readonly endpoint: Endpoint;
  readonly methods: Methods;
  readonly routes: HttpRoutes;
  readonly answering: AnswerOptions;
  /** The maximum of concurrent calls per connection. */
  readonly streamsMax?: number | undefined;
  readonly tls?: TlsOptions;
}

type ContextOption = 'cert' | 'key' | 'ca' | 'crl' | 'minVersion' | 'maxVersion' | 'ciphers';

export interface TlsOptions extends Pick<SecureContextOptions, ContextOption> {
  /** Requires clients to present a certificate signed by `ca`. */
  readonly clientCertificates: boolean;
  /** Names of which a client's certificate must have one; any if empty. */
  readonly allowedHostnames?: readonly string[];
}

export interface Listener {
  /** 0 for a Unix socket. */
  readonly port: number;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** The maximum of concurrent calls per connection. */
const streamsMaxDefault = 100_000;
/** Enough of the connection preface to tell HTTP/2 from every method of HTTP/1.1. */
const sign = preface.subarray(0, 3);

/** @throws the system's error, such as EADDRINUSE */
export async function listen(options: ListenOptions): Promise<Listener> {
  const connections = new Set<ServerConnection>();
  const protocols = protocolsOf(options, connections);
  const server = options.tls === undefined ? plainServer(protocols) : secureServer(protocols, options.tls);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // A failure ends its own connection only.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    bind(server, options.endpoint, resolve);
  });
  const address = server.address() as AddressInfo | string;
  return {
    port: typeof address === 'string' ? 0 : address.port,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const connection of connections) connection.close();
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };
}

function bind(server: Server, endpoint: Endpoint, onListening: () => void): void {
  if ('socketPath' in endpoint) {
    // Left behind by a process that was killed. Two servers with the same directory are kept apart by its lock.
    if (lstatSync(endpoint.socketPath, { throwIfNoEntry: false })?.isSocket())
      unlinkSync(endpoint.socketPath);
    server.listen(endpoint.socketPath, onListening);
    return;
  }
  const { port, host } = endpoint;
  // listen() resolves even IP addresses: it loads the resolver and compiles Node's pattern for IPv6, which takes 6 ms
  // at start.
  if (isIPv4(host) && net.BoundSocket !== undefined)
    server.listen(new net.BoundSocket({ port, host }), onListening);
  else server.listen(port, host, onListening);
}

type TakeConnection = (socket: Socket, commonName?: string) => void;

interface Protocols {
  readonly http1: TakeConnection;
  readonly http2: TakeConnection;
}

function protocolsOf(options: ListenOptions, connections: Set<ServerConnection>): Protocols {
  const server: HttpServer = createHttpServer((request, response) => {
    const { status, headers, body } = options.routes(request.method ?? '', request.url ?? '/');
    response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
  });
  return {
    http1: (socket) => void server.emit('connection', socket),
    http2(socket, commonName) {
      const connection = new ServerConnection(socket, {
        clock: systemClock,
        streamsMax: options.streamsMax ?? streamsMaxDefault,
        onStream(stream) {
          if (isGrpc(stream.head.headers))
            answerStream(stream, options.methods, options.answering, commonName);
          else answerPlainly(stream, options.routes);
        },
      });
      connections.add(connection);
      socket.on('close', () => connections.delete(connection));
    },
  };
}

function answerPlainly(stream: ServerStream, routes: HttpRoutes): void {
  const { status, headers, body } = routes(stream.head.method, stream.head.target);
  stream.respond(status, headers);
  stream.write(Buffer.from(body));
  stream.end();
}

function plainServer({ http1, http2 }: Protocols): Server {
  return createTcpServer({ noDelay: true, keepAlive: true }, (socket) => {
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.unshift(first);
      const isHttp2 = sign.subarray(0, first.length).equals(first.subarray(0, sign.length));
      (isHttp2 ? http2 : http1)(socket);
    });
  });
}

function secureServer(
  { http1, http2 }: Protocols,
  { clientCertificates, allowedHostnames = [], ...context }: TlsOptions,
): Server {
  const server = createTlsServer(
    {
      ...context,
      noDelay: true,
      keepAlive: true,
      ALPNProtocols: ['h2', 'http/1.1'],
      requestCert: clientCertificates,
      rejectUnauthorized: clientCertificates,
    },
    (socket) => {
      socket.on('error', () => socket.destroy());
      if (!isAllowed(socket, allowedHostnames)) return socket.destroy();
      if (socket.alpnProtocol === 'h2') http2(socket, commonNameOf(socket));
      else http1(socket);
    },
  );
  server.on('tlsClientError', (_, socket) => socket.destroy());
  return server;
}

function isAllowed(socket: TLSSocket, hostnames: readonly string[]): boolean {
  if (hostnames.length === 0) return true;
  const certificate = socket.getPeerX509Certificate();
  return certificate !== undefined && hostnames.some((name) => certificate.checkHost(name) !== undefined);
}

function commonNameOf(socket: TLSSocket): string | undefined {
  const name: string | string[] | undefined = socket.getPeerCertificate()?.subject?.CN;
  return Array.isArray(name) ? name[0] : name;
}
