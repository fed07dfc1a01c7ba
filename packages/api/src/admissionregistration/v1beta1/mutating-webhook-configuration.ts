import * as t from '@coxswain/schema';
import { RuleWithOperations } from '../v1/rule-with-operations.ts';
import { WebhookClientConfig } from './webhook-client-config.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import * as v1 from '../v1/mutating-webhook-configuration.ts';

export const MutatingWebhook = t.structIn('admissionregistration/v1beta1', v1.MutatingWebhook, {
  fields: {
    name: t.always(1, t.string),
    clientConfig: t.always(2, WebhookClientConfig),
    rules: t.optional(3, t.atomicList(RuleWithOperations)),
    failurePolicy: t.pointer(4, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Ignore' }),
    matchPolicy: t.pointer(9, t.named('v1beta1.MatchPolicyType', t.string), { default: 'Exact' }),
    sideEffects: t.pointer(6, t.named('v1beta1.SideEffectClass', t.string), { default: 'Unknown' }),
    timeoutSeconds: t.pointer(7, t.int32, { default: 30 }),
    admissionReviewVersions: t.optional(8, t.atomicList(t.string), { default: ['v1beta1'] }),
    reinvocationPolicy: t.pointer(10, t.named('v1.ReinvocationPolicyType', t.string), { default: 'Never' }),
  },
});
export interface MutatingWebhook extends t.Static<typeof MutatingWebhook> {}

export const MutatingWebhookConfiguration = t.kindIn(
  'admissionregistration/v1beta1',
  v1.MutatingWebhookConfiguration,
  {
    fields: {
      webhooks: t.optional(2, t.listMap(MutatingWebhook, ['name']), {
        patch: 'merge',
        patchKey: 'name',
        proto: 'Webhooks',
      }),
    },
  },
  {
    columns: [
      nameColumn,
      column('Webhooks', ({ webhooks }) => (webhooks ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface MutatingWebhookConfiguration extends t.Static<typeof MutatingWebhookConfiguration> {}
