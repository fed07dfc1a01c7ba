/** One port for gRPC and plain HTTP: the first bytes of a connection, or its TLS handshake, tell which. */
import { createServer as createHttpServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { SecureContextOptions } from 'node:tls';
import { answerStream, isGrpc } from './grpc/answer-stream.ts';
import type { GrpcBounds } from './grpc/answer-stream.ts';
import type { Methods } from './grpc/method.ts';
import type { HttpRoutes } from './http-routes.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly methods: Methods;
  readonly routes: HttpRoutes;
  readonly bounds: GrpcBounds;
  readonly tls?: TlsOptions;
}

export interface TlsOptions extends Pick<SecureContextOptions, 'cert' | 'key' | 'ca'> {
  /** Only clients with a certificate of `ca` are served. */
  readonly clientCertificates: boolean;
}

export interface Listener {
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

const sessionOptions = { settings: { initialWindowSize: 1024 * 1024, maxConcurrentStreams: 100_000 } };
/** What HTTP/2 connections begin with. */
const preface = Buffer.from('PRI');

/** @throws what the operating system says, such as EADDRINUSE */
export async function listen(options: ListenOptions): Promise<Listener> {
  const servers = protocolServers(options);
  const server = options.tls === undefined ? plainServer(servers) : secureServer(servers, options.tls);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // Whatever ends a connection ends it alone.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface ProtocolServers {
  readonly http1: HttpServer;
  readonly http2: Http2Server;
}

/** Neither listens; both are handed connections. */
function protocolServers(options: ListenOptions): ProtocolServers {
  const http1 = createHttpServer((request, response) => {
    const { status, type, body } = options.routes(request.method ?? '', request.url ?? '/');
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const http2 = createHttp2Server(sessionOptions);
  http2.on('stream', (stream: ServerHttp2Stream, headers) => {
    // Node announces streams in the next turn; a client may have reset one by then.
    if (stream.destroyed || stream.closed) return;
    if (isGrpc(headers)) return answerStream(stream, headers, options.methods, options.bounds);
    stream.on('error', () => undefined);
    const { status, type, body } = options.routes(headers[':method'] ?? '', headers[':path'] ?? '/');
    stream.respond({ ':status': status, 'content-type': type });
    stream.end(body);
  });
  // A client that speaks nonsense, or vanishes, ends its own connection and nothing else.
  http2.on('sessionError', (_, session?: ServerHttp2Session) => session?.destroy());
  return { http1, http2 };
}

function plainServer({ http1, http2 }: ProtocolServers): Server {
  return createTcpServer((socket) => {
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.unshift(first);
      const isHttp2 = preface.subarray(0, first.length).equals(first.subarray(0, preface.length));
      (isHttp2 ? http2 : http1).emit('connection', socket);
    });
  });
}

function secureServer(
  { http1, http2 }: ProtocolServers,
  { clientCertificates, ...context }: TlsOptions,
): Server {
  const server = createTlsServer(
    {
      ...context,
      ALPNProtocols: ['h2', 'http/1.1'],
      requestCert: clientCertificates,
      rejectUnauthorized: clientCertificates,
    },
    (socket) => {
      socket.on('error', () => socket.destroy());
      (socket.alpnProtocol === 'h2' ? http2 : http1).emit('connection', socket);
    },
  );
  server.on('tlsClientError', (_, socket) => socket.destroy());
  return server;
}
