import { rm, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, duration, int, string, type FlagValues } from '@coxswain/cobra';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { ExitError } from '../errors.ts';
import { expressions, type ProxyFilter } from '../streams/proxy-filter.ts';
import { proxyServer } from '../streams/proxy-server.ts';

const portDefault = 8001;

const flags = {
  www: string({ shorthand: 'w', usage: 'Also serve static files from this directory.' }),
  wwwPrefix: string({
    shorthand: 'P',
    default: '/static/',
    usage: 'The URL prefix under which the static files are served.',
  }),
  apiPrefix: string({ default: '/', usage: 'URL prefix under which the API is served.' }),
  acceptPaths: string({ default: '^.*', usage: 'Regular expression for the paths that the proxy accepts.' }),
  rejectPaths: string({
    default: '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
    usage: 'Regular expression for the paths that the proxy rejects, even if --accept-paths matches them.',
  }),
  acceptHosts: string({
    default: '^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$',
    usage: 'Regular expression for the hosts that the proxy accepts.',
  }),
  rejectMethods: string({
    default: '^$',
    usage: 'Regular expression for the HTTP methods that the proxy rejects.',
  }),
  port: int({
    shorthand: 'p',
    default: portDefault,
    usage: 'The local port of the proxy. 0 picks a random port.',
  }),
  address: string({ default: '127.0.0.1', usage: 'The IP address to listen on.' }),
  disableFilter: bool({
    usage:
      'Disable request filtering. This is dangerous: any web page can then use the API with your credentials.',
  }),
  unixSocket: string({ shorthand: 'u', usage: 'Listen on this Unix socket instead of a port.' }),
  keepalive: duration({ usage: 'The keep-alive period of connections. 0 disables keep-alive.' }),
  appendServerPath: bool({ usage: "Prepend the path of the context's server to the path of each request." }),
};

export const proxy = command({
  use: 'proxy [--port=PORT] [--www=static-dir] [--www-prefix=prefix] [--api-prefix=prefix]',
  long: 'Serve the Kubernetes API on a local port with the credentials of the kubeconfig, and optionally static files.',
  example: `  # All of the API, on port 8001
  kubectl proxy

  # On any port, which is printed
  kubectl proxy --port=0

  # Below another path, and files beside it
  kubectl proxy --api-prefix=/k8s/ --www=./site --www-prefix=/site/`,
  disableFlagsInUseLine: true,
  flags,
  async run({ context, flags: given }) {
    const { io } = context;
    if (given.port !== portDefault && given.unixSocket !== '')
      throw new Error('cannot set --unix-socket and --port at the same time');
    const filter = given.disableFilter ? undefined : filterOf(context, given);
    if (filter === undefined && given.unixSocket === '')
      context.warnLog(
        'Request filter disabled, your proxy is vulnerable to XSRF attacks, please be cautious',
      );
    const staticDirectory = given.www === '' ? '' : path.resolve(io.workingDirectory, given.www);
    if (staticDirectory !== '') await warnOfDirectory(context, staticDirectory, given.www);
    const { transport } = await (await context.connection()).rest();
    const server = proxyServer({
      transport,
      filter,
      apiPrefix: given.apiPrefix.replace(/\/?$/, '/'),
      staticPrefix: given.wwwPrefix.replace(/\/?$/, '/'),
      staticDirectory,
      log: (text) => context.log('E', text),
    });
    context.print(`Starting to serve on ${await listen(server, given, io.workingDirectory)}\n`);
    await untilStopped(context, server);
  },
});

type Flags = FlagValues<typeof flags>;

/** @throws ExitError for an invalid expression: upstream exits with a log line. */
function filterOf(context: CommandContext, given: Flags): ProxyFilter {
  try {
    return {
      acceptPaths: expressions(given.acceptPaths),
      rejectPaths: expressions(given.rejectPaths),
      acceptHosts: expressions(given.acceptHosts),
      rejectMethods: expressions(given.rejectMethods),
    };
  } catch (failure) {
    context.log('F', `Error compiling re: ${messageOf(failure)}`);
    throw new ExitError(255);
  }
}

async function warnOfDirectory(context: CommandContext, directory: string, name: string): Promise<void> {
  const found = await stat(directory).catch((failure: Error) => failure);
  if (found instanceof Error)
    context.warnLog(`Failed to stat static file directory ${name}: stat ${name}: no such file or directory`);
  else if (!found.isDirectory()) context.warnLog(`Static file directory ${name} is not a directory`);
}

const portMax = 65_535;

/** Returns the address on which it listens, for display. */
async function listen(server: Server, given: Flags, directory: string): Promise<string> {
  const { unixSocket, address, port } = given;
  const socketPath = unixSocket === '' ? '' : path.resolve(directory, unixSocket);
  if (socketPath === '' && (port < 0 || port > portMax))
    throw new Error(`listen tcp: address ${port}: invalid port`);
  if (socketPath !== '' && (await stat(socketPath).catch(() => undefined))?.isSocket()) await rm(socketPath);
  // Only the user's own programs may connect.
  const mask = socketPath === '' ? undefined : process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (failure: NodeJS.ErrnoException) => {
        const place = socketPath === '' ? `tcp ${address}:${port}` : `unix ${unixSocket}`;
        const reason = failure.code === 'EADDRINUSE' ? 'bind: address already in use' : failure.message;
        reject(new Error(`listen ${place}: ${reason}`));
      });
      if (socketPath === '') server.listen(port, address, resolve);
      else server.listen(socketPath, resolve);
    });
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  const bound = server.address() as AddressInfo | string;
  if (typeof bound === 'string') return unixSocket;
  return `${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

async function untilStopped({ signal }: CommandContext, server: Server): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  signal?.addEventListener('abort', () => stopped.resolve(), { once: true });
  await Promise.race([stopped.promise, closed]);
  server.closeAllConnections();
  server.close();
}
