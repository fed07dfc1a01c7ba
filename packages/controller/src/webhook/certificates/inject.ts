/** Writes the authority to trust into the objects that configure webhooks. */

import type { KubeClient, KindRef } from '@coxswain/client';

/** An object that configures webhooks. For a CustomResourceDefinition, this is the conversion webhook. */
export interface WebhookObject {
  readonly kind:
    | 'ValidatingWebhookConfiguration'
    | 'MutatingWebhookConfiguration'
    | 'CustomResourceDefinition';
  readonly name: string;
}

/** Owns only the field `caBundle`, so that applying the rest of the object doesn't remove it. */
const fieldManager = 'webhook-certificates';

interface ClientConfig {
  readonly clientConfig?: { readonly caBundle?: string };
}

interface Configuration {
  readonly webhooks?: readonly (ClientConfig & { readonly name: string })[];
  readonly spec?: { readonly conversion?: { readonly strategy: string; readonly webhook?: ClientConfig } };
}

const kinds: Readonly<Record<WebhookObject['kind'], KindRef<Configuration>>> = {
  ValidatingWebhookConfiguration: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    names: { plural: 'validatingwebhookconfigurations', namespaced: false },
  },
  MutatingWebhookConfiguration: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    names: { plural: 'mutatingwebhookconfigurations', namespaced: false },
  },
  CustomResourceDefinition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    names: { plural: 'customresourcedefinitions', namespaced: false },
  },
};

/**
 * Writes the authority if it differs or is missing.
 * @param authority PEM
 * @throws StatusError 404 if the object doesn't exist, Error for a definition without a conversion webhook
 */
export async function injectAuthority(
  client: KubeClient,
  { kind, name }: WebhookObject,
  authority: string,
): Promise<void> {
  const objects = client.of(kinds[kind]);
  const caBundle = btoa(authority);
  const change = changeOf(await objects.get(name), caBundle);
  if (change === undefined) return;
  const metadata = { name };
  await objects.apply({ metadata, ...change }, { fieldManager, force: true });
}

/** Undefined if nothing needs to be changed. */
function changeOf({ webhooks, spec }: Configuration, caBundle: string): object | undefined {
  const clientConfig = { caBundle };
  if (webhooks !== undefined) {
    const isDone = webhooks.every((webhook) => webhook.clientConfig?.caBundle === caBundle);
    return isDone ? undefined : { webhooks: webhooks.map(({ name }) => ({ name, clientConfig })) };
  }
  const conversion = spec?.conversion;
  if (conversion?.strategy !== 'Webhook') throw new Error('the definition has no conversion webhook');
  const isDone = conversion.webhook?.clientConfig?.caBundle === caBundle;
  return isDone ? undefined : { spec: { conversion: { webhook: { clientConfig } } } };
}
