/**
 * `--debug-socket-path`: profiles and the log verbosity over a Unix socket, for when the port no longer responds. There
 * is no authentication: access is limited by the socket's file mode to the server's user.
 */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { installProfiles, type Profiler } from '@coxswain/apiserver/debug/profiles.ts';
import { installVerbosity, type Verbosity } from '@coxswain/apiserver/debug/verbosity.ts';
import { ApiRequest, type IncomingRequest } from '@coxswain/apiserver/http/api-request.ts';
import { textResponse, type ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { Http1Connection } from '@coxswain/apiserver/http/http1/http1-connection.ts';
import { withFilterHeaders } from '@coxswain/apiserver/http/merge-headers.ts';
import { parseRequestInfo } from '@coxswain/apiserver/request-info.ts';
import { PlainRoutes } from '@coxswain/apiserver/routing/plain-routes.ts';

export interface DebugSocketParts {
  readonly profiler: Profiler;
  readonly verbosity: Verbosity;
}

const peer = { address: '', tls: false, protocol: 'HTTP/1.1' } as const;
const socketMode = 0o600;

/**
 * Replaces whatever is at `path`.
 * @throws Error of the system when the socket cannot be created
 */
export async function serveDebugSocket(
  path: string,
  parts: DebugSocketParts,
): Promise<{ close(): Promise<void> }> {
  const routes = new PlainRoutes();
  installProfiles(routes, parts.profiler);
  installVerbosity(routes, parts.verbosity);
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    new Http1Connection(socket, { peer, serve: (incoming) => answer(routes, incoming) });
  });
  rmSync(path, { force: true });
  await listening(server, path);
  chmodSync(path, socketMode);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

async function answer(routes: PlainRoutes, incoming: IncomingRequest): Promise<ApiResponse> {
  const request = new ApiRequest(incoming);
  const { method, path, query } = incoming;
  request.info = parseRequestInfo(method, path, query);
  const handler = routes.find(path) ?? routes.find(path.replace(/\/$/, ''));
  if (handler === undefined) {
    request.responseHeaders['x-content-type-options'] = 'nosniff';
    return withFilterHeaders(request, textResponse(404, '404 page not found\n'));
  }
  return withFilterHeaders(request, await handler(request));
}
