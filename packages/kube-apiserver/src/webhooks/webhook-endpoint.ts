/** The endpoint of a webhook, from the `clientConfig` of its configuration. */
import type { Credentials } from '@coxswain/client/kubeconfig/credentials.ts';
import type { Live } from '@coxswain/apimachinery';
import type * as admission from '@coxswain/api/admissionregistration/v1/index.ts';
import { normalize } from './joined-path.ts';
import { checkRootCertificates } from './root-certificates.ts';

export type WebhookClientConfig = Live<admission.WebhookClientConfig>;

export interface WebhookEndpoint {
  /** `https://name.namespace.svc:443`, or the URL's own. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** PEM; empty for the system's authorities. */
  readonly authorities: string;
  /** The service whose addresses it resolves to. */
  readonly service?: { readonly namespace: string; readonly name: string };
  /** The caller's credentials. */
  readonly credentials?: WebhookCredentials | undefined;
}

const portDefault = 443;

/** @throws Error with upstream's message */
export function webhookEndpoint({ url, service, caBundle }: WebhookClientConfig): WebhookEndpoint {
  const authorities = caBundle ? atob(caBundle) : '';
  if (authorities !== '') checkRootCertificates(authorities);
  if (service !== undefined) {
    const { namespace, name, path = '', port = portDefault } = service;
    const host = `${name}.${namespace}.svc`;
    return {
      origin: `https://${host}:${port}`,
      host,
      port,
      authorities,
      path: normalize(path),
      service: {
        namespace,
        name,
      },
    };
  }
  if (!url) throw new Error('webhook configuration must have either service or URL');
  const { protocol, host, hostname, port, pathname } = new URL(url);
  return {
    origin: `${protocol}//${host}`,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || portDefault),
    path: normalize(pathname),
    authorities,
  };
}

export interface WebhookCredentials extends Credentials {
  /** Identifies the credentials: connections with one are never used with another. */
  readonly name: string;
}
