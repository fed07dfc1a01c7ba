/** Builds the objects that configure which webhooks an API server calls. */

import { parseApiVersion } from '@coxswain/apimachinery';
import { pluralOf, type KindRef } from '@coxswain/client';

/** The webhooks, and where they are served. */
export interface WebhookConfigurationOptions {
  /** The name of the objects: `greeting-operator`. */
  readonly name: string;
  /** How the API server reaches the webhooks: a Service in the cluster, or the URL of a server elsewhere. */
  readonly server:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
    | { readonly url: string };
  /**
   * PEM of the authority that signed the server's certificate. Without it, the API server trusts its system's
   * authorities.
   */
  readonly authority?: string;
  readonly validating?: readonly InstalledWebhook[];
  readonly mutating?: readonly InstalledWebhook[];
}

/** One webhook, and the requests that it handles. */
export interface InstalledWebhook {
  /** As in the handlers of the server: `/validate`. */
  readonly path: string;
  readonly kind: KindRef;
  /** Defaults to `CREATE` and `UPDATE`. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  /** What happens if the webhook does not respond. Defaults to `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** The namespaces and objects that it handles, as in the configuration. Defaults to all. */
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
}

const group = 'admissionregistration.k8s.io';

/**
 * Builds a ValidatingWebhookConfiguration and a MutatingWebhookConfiguration, each if there are webhooks for it.
 * @example
 * const server = { service: { namespace: 'shop', name: 'shop-operator' } };
 * const validating = [{ path: '/validate', kind: Widget }];
 * for (const each of webhookConfigurations({ name: 'shop-operator', server, validating }))
 *   await client.apply(each, { fieldManager: 'shop-operator' });
 */
export function webhookConfigurations(options: WebhookConfigurationOptions) {
  const { name, validating = [], mutating = [] } = options;
  return (['Validating', 'Mutating'] as const).flatMap((type) => {
    const webhooks = type === 'Validating' ? validating : mutating;
    if (webhooks.length === 0) return [];
    return {
      apiVersion: `${group}/v1`,
      kind: `${type}WebhookConfiguration`,
      metadata: { name },
      webhooks: webhooks.map((webhook) => webhookOf(webhook, options)),
    };
  });
}

function webhookOf(
  { path, kind, operations = ['CREATE', 'UPDATE'], failurePolicy = 'Fail', ...selectors }: InstalledWebhook,
  { server, authority }: WebhookConfigurationOptions,
): object {
  const { group: apiGroup, version } = parseApiVersion(kind.apiVersion);
  const plural = kind.names?.plural ?? pluralOf(kind.kind);
  const caBundle = authority === undefined ? {} : { caBundle: btoa(authority) };
  const place =
    'url' in server
      ? { url: server.url.replace(/\/$/, '') + path }
      : { service: { ...server.service, path } };
  return {
    // Names must be unique in a configuration and have at least three parts.
    name: `${path
      .replaceAll(/[^a-z0-9]+/gi, '-')
      .replaceAll(/^-|-$/g, '')
      .toLowerCase()}.${plural}.${apiGroup || 'core'}`,
    clientConfig: { ...place, ...caBundle },
    rules: [{ apiGroups: [apiGroup], apiVersions: [version], resources: [plural], operations, scope: '*' }],
    failurePolicy,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...selectors,
  };
}
