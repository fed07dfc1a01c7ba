/** Creates a client from a kubeconfig. */

import { readFileSync } from 'node:fs';
import { goQuote, systemClock, type Clock } from '@coxswain/apimachinery';
import { HttpTransport } from './http-transport.ts';
import type { HttpTransportOptions } from './http-transport-options.ts';
import { createClient, type KubeClient } from '../resource/kube-client.ts';
import type { RestClientOptions } from '../rest/rest-client.ts';
import { credentialsOf, impersonationOf } from '../kubeconfig/credentials.ts';
import { dataOrFile } from '../kubeconfig/data-or-file.ts';
import { openFailure } from '../kubeconfig/load.ts';
import { resolveKubeconfig } from '../kubeconfig/resolve.ts';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigOverrides,
  ResolvedKubeconfig,
} from '../kubeconfig/kubeconfig.ts';

/** Options of the client, and overrides of the kubeconfig. */
export interface ConnectOptions extends Omit<RestClientOptions, 'transport'> {
  readonly overrides?: KubeconfigOverrides;
}

/**
 * A client for the cluster of a kubeconfig. Nothing is sent before the first request.
 * @throws Error with the message of kubectl if the configuration is unusable
 * @example
 * const client = connect(loadKubeconfig(), { userAgent: 'shop-operator/1.0' });
 * const { items } = await client.of(Pod).namespace('default').list();
 */
export function connect(config: Kubeconfig, options: ConnectOptions = {}): KubeClient {
  const { overrides, ...rest } = options;
  const resolved = resolveKubeconfig(config, overrides, openFailure);
  return createClient({ ...rest, transport: transportOf(resolved, rest.clock) });
}

/**
 * The connection to the cluster of a resolved kubeconfig, for {@link createClient}.
 * @param resolved its namespace and context are not used
 * @param clock determines when credentials expire
 * @param options how connections are opened
 * @throws Error if the configuration is unusable
 * @example
 * const transport = transportOf(resolveKubeconfig(loadKubeconfig()));
 * const client = createClient({ transport: diskCached(transport, cacheOptions) });
 */
export function transportOf(
  { cluster, user }: Pick<ResolvedKubeconfig, 'cluster' | 'user'>,
  clock: Clock = systemClock,
  options: Pick<HttpTransportOptions, 'protocol' | 'dial'> = {},
): HttpTransport {
  const server = serverUrl(cluster.server ?? '');
  const isSecure = server.startsWith('https:');
  const insecure = cluster['insecure-skip-tls-verify'] ?? false;
  const authority = isSecure
    ? dataOrFile(cluster['certificate-authority-data'], cluster['certificate-authority'])
    : undefined;
  if (insecure && authority !== undefined) {
    throw new Error('specifying a root certificates file with the insecure flag is not allowed');
  }
  if (authority !== undefined && !authority.includes('-----BEGIN CERTIFICATE-----')) {
    throw new Error('unable to load root certificates: unable to parse bytes as PEM block');
  }
  return new HttpTransport({
    ...options,
    server,
    insecure,
    // Credentials are never sent over an unencrypted connection.
    credentials: isSecure ? credentialsOf(user, cluster, clock) : impersonationOf(user),
    ...(authority === undefined ? {} : { certificateAuthority: authorityOf(cluster, authority) }),
    ...(cluster['tls-server-name'] ? { serverName: cluster['tls-server-name'] } : {}),
    ...(cluster['proxy-url'] ? { proxyUrl: cluster['proxy-url'] } : {}),
    compress: !(cluster['disable-compression'] ?? false),
  });
}

/** An authority in a file may be replaced; while the file can't be read, the last one remains valid. */
function authorityOf(cluster: KubeconfigCluster, first: string): string | (() => string) {
  if (cluster['certificate-authority-data']) return first;
  let known = first;
  return () => {
    try {
      const now = readFileSync(cluster['certificate-authority'] ?? '', 'utf8');
      if (now.includes('-----BEGIN CERTIFICATE-----')) known = now;
    } catch {
      // The file is being replaced.
    }
    return known;
  };
}

/**
 * `localhost:8080` means HTTP; a path prefix of the API is kept.
 * @throws InvalidServer
 */
function serverUrl(server: string): string {
  if (hasHost(server) && portProblem(server) === undefined) return requireDialable(server);
  const url = `http://${server}`;
  const problem = portProblem(url);
  if (problem !== undefined) throw new InvalidServer(problem, true);
  if (!hasHost(url) || /^http:\/\/[^/]*\/./.test(url))
    throw new InvalidServer(`host must be a URL or a host:port pair: ${goQuote(server)}`, false);
  return requireDialable(url);
}

const hasHost = (url: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/\s]+(?:\/.*)?$/i.test(url);

/** @throws InvalidServer for a port number out of range */
function requireDialable(url: string): string {
  if (URL.canParse(url)) return url;
  const port = /:(\d+)(?:\/|$)/.exec(url)?.[1];
  throw new InvalidServer(
    port === undefined ? `invalid URL: ${url}` : `dial tcp: address ${port}: invalid port`,
    true,
  );
}

/** Returns Go's message for an invalid port. */
function portProblem(url: string): string | undefined {
  const host = /^[^:]*:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? '';
  const port = /^(?:\[[^\]]*\]|[^:]*)(:.*)?$/.exec(host)?.[1] ?? '';
  return /^(:\d*)?$/.test(port) ? undefined : `invalid port ${goQuote(port)} after host`;
}

/**
 * The address of the server is invalid.
 * @internal
 */
export class InvalidServer extends Error {
  override readonly name = 'InvalidServer';
  /** The address can't be parsed as a URL, as opposed to having invalid parts. */
  readonly isUnreadable: boolean;

  constructor(message: string, isUnreadable: boolean) {
    super(message);
    this.isUnreadable = isUnreadable;
  }
}
