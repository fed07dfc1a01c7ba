/** What tells an API server which webhooks to ask, as objects to apply. */

import { parseApiVersion } from '@coxswain/apimachinery';
import { pluralOf, type KindRef } from '@coxswain/client';

/** Which webhooks, and where they are. */
export interface WebhookConfigurationOptions {
  /** Of the objects: `greeting-operator`. */
  readonly name: string;
  /** How the API server reaches the webhooks: a Service in the cluster, or the URL of a server elsewhere. */
  readonly server:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
    | { readonly url: string };
  /** PEM of the authority that signed the server's certificate. Without it, the API server trusts those of its machine. */
  readonly authority?: string;
  readonly validating?: readonly InstalledWebhook[];
  readonly mutating?: readonly InstalledWebhook[];
}

/** One webhook: what it is asked about. */
export interface InstalledWebhook {
  /** As in the handlers of the server: `/validate`. */
  readonly path: string;
  readonly kind: KindRef;
  /** Defaults to `CREATE` and `UPDATE`. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[];
  /** What happens when the webhook does not answer. Defaults to `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** Which namespaces and objects it is asked about, as in the configuration. Defaults to all. */
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
}

const group = 'admissionregistration.k8s.io';

/**
 * A ValidatingWebhookConfiguration and a MutatingWebhookConfiguration, as far as there are webhooks for them.
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
    // Names are unique in a configuration, and have three parts at least.
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
