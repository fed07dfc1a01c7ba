/** A gRPC server on a Unix socket, for programs on the same machine. */
import { createServer, type Socket } from 'node:net';
import { systemClock } from '@coxswain/apimachinery';
import { ServerConnection } from '@coxswain/http2';
import { answerStream, type AnswerOptions } from './answer-stream.ts';
import type { Methods } from './method.ts';

export interface GrpcServer {
  /** Also closes connections that clients keep open. */
  close(): Promise<void>;
}

/** The maximum size of a request; gRPC's default. */
const messageBytesMaxDefault = 4 * 1024 * 1024;
/** The maximum of concurrent calls per connection. */
const streamsMax = 1_000;

/** @throws the system's error, such as EADDRINUSE */
export async function serveUnixGrpc(
  socketPath: string,
  methods: Methods,
  options: Partial<AnswerOptions> = {},
): Promise<GrpcServer> {
  const answerOptions = { messageBytesMax: messageBytesMaxDefault, ...options };
  const connections = new Map<Socket, ServerConnection>();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('close', () => connections.delete(socket));
    const connection = new ServerConnection(socket, {
      clock: systemClock,
      streamsMax,
      onStream: (stream) => answerStream(stream, methods, answerOptions),
    });
    connections.set(socket, connection);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const [socket, connection] of connections) {
        connection.close();
        socket.destroy();
      }
      await closed;
    },
  };
}
