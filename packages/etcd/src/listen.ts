/** One port for gRPC and plain HTTP: the first bytes of a connection, or its TLS handshake, tell which. */
import { createServer as createHttpServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
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
  const server = options.tls === undefined ? plainServer(options) : secureServer(options, options.tls);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
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

function secureServer(options: ListenOptions, { clientCertificates, ...context }: TlsOptions): Server {
  const server = createSecureServer({
    ...sessionOptions,
    ...context,
    allowHTTP1: true,
    requestCert: clientCertificates,
    rejectUnauthorized: clientCertificates,
  });
  serveStreams(server, options);
  server.on('request', (request, response) => {
    if (request.httpVersionMajor >= 2) return;
    const { status, type, body } = options.routes(request.method, request.url);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  return server as unknown as Server;
}

function plainServer(options: ListenOptions): Server {
  const http2 = createHttp2Server(sessionOptions);
  serveStreams(http2, options);
  const http1: HttpServer = createHttpServer((request, response) => {
    const { status, type, body } = options.routes(request.method ?? '', request.url ?? '/');
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  return createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.unshift(first);
      const isHttp2 = preface.subarray(0, first.length).equals(first.subarray(0, preface.length));
      (isHttp2 ? http2 : http1).emit('connection', socket);
    });
  });
}

function serveStreams(server: Http2Server | Http2SecureServer, options: ListenOptions): void {
  server.on('stream', (stream, headers) => {
    if (isGrpc(headers)) return answerStream(stream, headers, options.methods, options.bounds);
    stream.on('error', () => undefined);
    const { status, type, body } = options.routes(headers[':method'] ?? '', headers[':path'] ?? '/');
    stream.respond({ ':status': status, 'content-type': type });
    stream.end(body);
  });
  // A client that speaks nonsense, or vanishes, ends its own connection and nothing else.
  server.on('sessionError', (_, session?: ServerHttp2Session) => session?.destroy());
}
