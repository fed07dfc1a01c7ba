/**
 * The webhooks' places in the chain. Calling them isn't built yet; each counts as a webhook that can't be
 * reached, so that its failurePolicy decides: nothing that it should have seen slips through.
 */
import { goQuote, internalError } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { KubeObject } from '@coxswain/apimachinery';
import { on } from '../attributes.ts';
import type { ObjectReader } from '../object-reader.ts';
import { isWanted } from '../rule-matching.ts';
import type { AdmissionRule, MatchConditions } from '../rule-matching.ts';

interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly (Omit<MatchConditions, 'rules'> & {
    readonly name: string;
    readonly rules?: readonly AdmissionRule[];
    readonly failurePolicy?: string;
  })[];
}

export const mutatingAdmissionWebhook = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'MutatingAdmissionWebhook',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  mutate: (attributes) => refuseUncalled(attributes, 'mutatingwebhookconfigurations', objects),
});

export const validatingAdmissionWebhook = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  validate: (attributes) => refuseUncalled(attributes, 'validatingwebhookconfigurations', objects),
});

async function refuseUncalled(
  attributes: AdmissionAttributes,
  resource: string,
  objects: ObjectReader,
): Promise<void> {
  const group = 'admissionregistration.k8s.io';
  const configurations = await objects.list<WebhookConfiguration>({ group, resource }, '');
  for (const { webhooks = [] } of configurations) {
    for (const webhook of webhooks) {
      if (webhook.failurePolicy === 'Ignore') continue;
      if (!(await isWanted(attributes, { ...webhook, rules: webhook.rules ?? [] }, objects))) continue;
      throw internalError(
        `failed calling webhook ${goQuote(webhook.name)}: calling webhooks is not implemented by this server`,
      );
    }
  }
}
