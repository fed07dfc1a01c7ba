/** HTTP/2 on a unix socket, as gRPC on one machine wants it; closing it ends what clients keep open. */
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';

export interface UnixHttp2Server {
  close(): Promise<void>;
}

/** @throws what the operating system says, such as EADDRINUSE */
export async function serveUnixHttp2(
  socketPath: string,
  answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<UnixHttp2Server> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => session.destroy());
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}
