/** gRPC on a unix socket, as programs of one machine offer it to each other. */
import { createServer, type Socket } from 'node:net';
import { systemClock } from '@coxswain/apimachinery';
import { ServerConnection } from '@coxswain/http2';
import { answerStream, type AnswerOptions } from './answer-stream.ts';
import type { Methods } from './method.ts';

export interface GrpcServer {
  /** Ends what clients keep open, too. */
  close(): Promise<void>;
}

/** Of a request; gRPC's own default. */
const messageBytesMaxDefault = 4 * 1024 * 1024;
/** Calls at once, on one connection. */
const streamsMax = 1_000;

/** @throws what the operating system says, such as EADDRINUSE */
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
