/**
 * The webhooks' places in the chain. Calling them isn't built yet; each counts as a webhook that can't be
 * reached, so that its failurePolicy decides: nothing that it should have seen slips through.
 */
import { goQuote, internalError } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin, Awaitable } from '@coxswain/apiserver';
import type { GroupResource, KubeObject } from '@coxswain/apimachinery';
import { on } from '../attributes.ts';
import { isAdmissionConfiguration, matchRequest } from '../rule-matching.ts';
import type { AdmissionRule, MatchCriteria, MatchingParts } from '../rule-matching.ts';

interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly (Omit<MatchCriteria, 'rules'> & {
    readonly name: string;
    readonly rules?: readonly AdmissionRule[];
    readonly failurePolicy?: string;
  })[];
}

export const mutatingAdmissionWebhook = (parts: MatchingParts): AdmissionPlugin => ({
  name: 'MutatingAdmissionWebhook',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  mutate: (attributes) => refuseUncalled(attributes, mutating, parts),
});

export const validatingAdmissionWebhook = (parts: MatchingParts): AdmissionPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  validate: (attributes) => refuseUncalled(attributes, validating, parts),
});

const webhooksOf = (resource: string): GroupResource => ({
  group: 'admissionregistration.k8s.io',
  resource,
});
const mutating = webhooksOf('mutatingwebhookconfigurations');
const validating = webhooksOf('validatingwebhookconfigurations');

/** Most servers have no webhooks: nothing is awaited then. */
function refuseUncalled(
  attributes: AdmissionAttributes,
  resource: GroupResource,
  parts: MatchingParts,
): void | Promise<void> {
  if (isAdmissionConfiguration(attributes)) return;
  const configurations = parts.objects.list<WebhookConfiguration>(resource, '');
  if (configurations instanceof Promise || configurations.length > 0) {
    return refuseWanted(attributes, configurations, parts);
  }
}

async function refuseWanted(
  attributes: AdmissionAttributes,
  configurations: Awaitable<readonly WebhookConfiguration[]>,
  parts: MatchingParts,
): Promise<void> {
  for (const { webhooks = [] } of await configurations) {
    for (const webhook of webhooks) {
      if (webhook.failurePolicy === 'Ignore') continue;
      if (!(await matchRequest(attributes, { ...webhook, rules: webhook.rules ?? [] }, parts))) continue;
      throw internalError(
        `failed calling webhook ${goQuote(webhook.name)}: calling webhooks is not implemented by this server`,
      );
    }
  }
}
