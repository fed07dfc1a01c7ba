import {
  always,
  atomicList,
  int32,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { RuleWithOperations } from '../../admissionregistration/v1/rule-with-operations.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { MatchCondition } from './match-condition.ts';
import { WebhookClientConfig } from './webhook-client-config.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const MutatingWebhook = struct('admissionregistration/v1beta1.MutatingWebhook', {
  name: always(1, string),
  clientConfig: always(2, WebhookClientConfig),
  rules: optional(3, atomicList(RuleWithOperations)),
  failurePolicy: pointer(4, named('v1beta1.FailurePolicyType', string), { default: 'Ignore' }),
  matchPolicy: pointer(9, named('v1beta1.MatchPolicyType', string), { default: 'Exact' }),
  namespaceSelector: pointer(5, LabelSelector, { default: {} }),
  objectSelector: pointer(11, LabelSelector, { default: {} }),
  sideEffects: pointer(6, named('v1beta1.SideEffectClass', string), { default: 'Unknown' }),
  timeoutSeconds: pointer(7, int32, { default: 30 }),
  admissionReviewVersions: optional(8, atomicList(string), { default: ['v1beta1'] }),
  reinvocationPolicy: pointer(10, named('v1.ReinvocationPolicyType', string), { default: 'Never' }),
  matchConditions: optional(12, listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface MutatingWebhook extends Static<typeof MutatingWebhook> {}

export const MutatingWebhookConfiguration = kind(
  'admissionregistration/v1beta1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1beta1',
  { plural: 'mutatingwebhookconfigurations', categories: ['api-extensions'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    webhooks: optional(2, listMap(MutatingWebhook, ['name']), {
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
export interface MutatingWebhookConfiguration extends Static<typeof MutatingWebhookConfiguration> {}
