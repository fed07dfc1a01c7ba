/** From a kubeconfig to a client that talks to its server. */

import { systemClock } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import { HttpTransport } from '../https/http-transport.ts';
import { createClient } from '../resource/kube-client.ts';
import type { KubeClient } from '../resource/kube-client.ts';
import type { RestClientOptions } from '../rest/rest-client.ts';
import { credentialsOf, dataOrFile } from './credentials.ts';
import { resolveKubeconfig } from './kubeconfig.ts';
import type { Kubeconfig, KubeconfigOverrides, ResolvedKubeconfig } from './kubeconfig.ts';

export interface ConnectOptions extends Omit<RestClientOptions, 'transport'> {
  readonly overrides?: KubeconfigOverrides;
}

/** @throws Error in clientcmd's words when the configuration is not usable */
export function connect(config: Kubeconfig, options: ConnectOptions = {}): KubeClient {
  const { overrides, ...rest } = options;
  return createClient({ ...rest, transport: transportOf(resolveKubeconfig(config, overrides), rest.clock) });
}

export function transportOf(
  { cluster, user }: ResolvedKubeconfig,
  clock: Clock = systemClock,
): HttpTransport {
  const insecure = cluster['insecure-skip-tls-verify'] ?? false;
  const authority = dataOrFile(
    cluster['certificate-authority-data'],
    cluster['certificate-authority'],
    'certificate-authority',
  );
  if (insecure && authority !== undefined) {
    throw new Error('specifying a root certificates file with the insecure flag is not allowed');
  }
  return new HttpTransport({
    server: serverUrl(cluster.server ?? ''),
    insecure,
    credentials: credentialsOf(user, cluster, clock),
    ...(authority === undefined ? {} : { certificateAuthority: authority }),
    ...(cluster['tls-server-name'] ? { serverName: cluster['tls-server-name'] } : {}),
    ...(cluster['proxy-url'] ? { proxyUrl: cluster['proxy-url'] } : {}),
    compress: !(cluster['disable-compression'] ?? false),
  });
}

/** `localhost:8080` means HTTP; a path in front of the API is kept. */
function serverUrl(server: string): string {
  return /^https?:\/\//.test(server) ? server : `http://${server}`;
}
