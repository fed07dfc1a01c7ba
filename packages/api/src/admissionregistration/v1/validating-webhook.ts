import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { MatchCondition } from './match-condition.ts';
import { RuleWithOperations } from './rule-with-operations.ts';
import { WebhookClientConfig } from './webhook-client-config.ts';

export const ValidatingWebhook = t.struct('admissionregistration/v1.ValidatingWebhook', {
  name: t.always(1, t.string, { required: true }),
  clientConfig: t.always(2, WebhookClientConfig, { required: true }),
  rules: t.optional(3, t.atomicList(RuleWithOperations)),
  failurePolicy: t.pointer(4, t.named('v1.FailurePolicyType', t.oneOf(['Ignore', 'Fail'])), {
    default: 'Fail',
  }),
  matchPolicy: t.pointer(9, t.named('v1.MatchPolicyType', t.oneOf(['Exact', 'Equivalent'])), {
    default: 'Equivalent',
  }),
  namespaceSelector: t.pointer(5, LabelSelector, { default: {} }),
  objectSelector: t.pointer(10, LabelSelector, { default: {} }),
  sideEffects: t.nullable(
    6,
    t.named('v1.SideEffectClass', t.oneOf(['Unknown', 'None', 'Some', 'NoneOnDryRun'])),
    {
      required: true,
    },
  ),
  timeoutSeconds: t.pointer(7, t.int32, { default: 10 }),
  admissionReviewVersions: t.always(8, t.atomicList(t.string), { required: true }),
  matchConditions: t.optional(11, t.listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface ValidatingWebhook extends t.Static<typeof ValidatingWebhook> {}
