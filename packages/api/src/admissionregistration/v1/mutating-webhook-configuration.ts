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

export const MutatingWebhook = struct('admissionregistration/v1.MutatingWebhook', {
  name: always(1, string, { required: true }),
  clientConfig: always(2, WebhookClientConfig, { required: true }),
  rules: optional(3, atomicList(RuleWithOperations)),
  failurePolicy: pointer(4, named('v1.FailurePolicyType', oneOf(['Ignore', 'Fail'])), { default: 'Fail' }),
  matchPolicy: pointer(9, named('v1.MatchPolicyType', oneOf(['Exact', 'Equivalent'])), {
    default: 'Equivalent',
  }),
  namespaceSelector: pointer(5, LabelSelector, { default: {} }),
  objectSelector: pointer(11, LabelSelector, { default: {} }),
  sideEffects: nullable(6, named('v1.SideEffectClass', oneOf(['Unknown', 'None', 'Some', 'NoneOnDryRun'])), {
    required: true,
  }),
  timeoutSeconds: pointer(7, int32, { default: 10 }),
  admissionReviewVersions: always(8, atomicList(string), { required: true }),
  reinvocationPolicy: pointer(10, named('v1.ReinvocationPolicyType', oneOf(['Never', 'IfNeeded'])), {
    default: 'Never',
  }),
  matchConditions: optional(12, listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface MutatingWebhook extends Static<typeof MutatingWebhook> {}

export const MutatingWebhookConfiguration = kind(
  'admissionregistration/v1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1',
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
    validate: validateWebhooks,
    columns: [
      nameColumn,
      column('Webhooks', ({ webhooks }) => (webhooks ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface MutatingWebhookConfiguration extends Static<typeof MutatingWebhookConfiguration> {}
