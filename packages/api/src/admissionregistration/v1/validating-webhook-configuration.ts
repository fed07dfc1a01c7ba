import {
  always,
  atomicList,
  int32,
  kind,
  listMap,
  nullable,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { MatchCondition } from './match-condition.ts';
import { RuleWithOperations } from './rule-with-operations.ts';
import { WebhookClientConfig } from './webhook-client-config.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateWebhooks } from '../webhook-validation.ts';

export const ValidatingWebhook = struct('admissionregistration/v1.ValidatingWebhook', {
  name: always(1, string, { required: true }),
  clientConfig: always(2, WebhookClientConfig, { required: true }),
  rules: optional(3, atomicList(RuleWithOperations)),
  failurePolicy: pointer(4, named('v1.FailurePolicyType', oneOf(['Ignore', 'Fail'])), { default: 'Fail' }),
  matchPolicy: pointer(9, named('v1.MatchPolicyType', oneOf(['Exact', 'Equivalent'])), {
    default: 'Equivalent',
  }),
  namespaceSelector: pointer(5, LabelSelector, { default: {} }),
  objectSelector: pointer(10, LabelSelector, { default: {} }),
  sideEffects: nullable(6, named('v1.SideEffectClass', oneOf(['Unknown', 'None', 'Some', 'NoneOnDryRun'])), {
    required: true,
  }),
  timeoutSeconds: pointer(7, int32, { default: 10 }),
  admissionReviewVersions: always(8, atomicList(string), { required: true }),
  matchConditions: optional(11, listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface ValidatingWebhook extends Static<typeof ValidatingWebhook> {}

export const ValidatingWebhookConfiguration = kind(
  'admissionregistration/v1.ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1',
  { plural: 'validatingwebhookconfigurations', categories: ['api-extensions'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    webhooks: optional(2, listMap(ValidatingWebhook, ['name']), {
      patch: 'merge',
      patchKey: 'name',
      proto: 'Webhooks',
    }),
  },
  {
    validate: validateWebhooks,
    columns: [
      nameColumn,
      column('Webhooks', ({ webhooks }) => (webhooks ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface ValidatingWebhookConfiguration extends Static<typeof ValidatingWebhookConfiguration> {}
