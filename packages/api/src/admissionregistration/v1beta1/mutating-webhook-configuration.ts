import * as t from '@coxswain/schema';
import { RuleWithOperations } from '../../admissionregistration/v1/rule-with-operations.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { MatchCondition } from './match-condition.ts';
import { WebhookClientConfig } from './webhook-client-config.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const MutatingWebhook = t.struct('admissionregistration/v1beta1.MutatingWebhook', {
  name: t.always(1, t.string),
  clientConfig: t.always(2, WebhookClientConfig),
  rules: t.optional(3, t.atomicList(RuleWithOperations)),
  failurePolicy: t.pointer(4, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Ignore' }),
  matchPolicy: t.pointer(9, t.named('v1beta1.MatchPolicyType', t.string), { default: 'Exact' }),
  namespaceSelector: t.pointer(5, LabelSelector, { default: {} }),
  objectSelector: t.pointer(11, LabelSelector, { default: {} }),
  sideEffects: t.pointer(6, t.named('v1beta1.SideEffectClass', t.string), { default: 'Unknown' }),
  timeoutSeconds: t.pointer(7, t.int32, { default: 30 }),
  admissionReviewVersions: t.optional(8, t.atomicList(t.string), { default: ['v1beta1'] }),
  reinvocationPolicy: t.pointer(10, t.named('v1.ReinvocationPolicyType', t.string), { default: 'Never' }),
  matchConditions: t.optional(12, t.listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface MutatingWebhook extends t.Static<typeof MutatingWebhook> {}

export const MutatingWebhookConfiguration = t.kind(
  'admissionregistration/v1beta1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1beta1',
  { plural: 'mutatingwebhookconfigurations', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    webhooks: t.optional(2, t.listMap(MutatingWebhook, ['name']), {
      patch: 'merge',
      patchKey: 'name',
      proto: 'Webhooks',
    }),
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
