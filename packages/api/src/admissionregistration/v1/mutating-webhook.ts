import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { MatchCondition } from './match-condition.ts';
import { RuleWithOperations } from './rule-with-operations.ts';
import { WebhookClientConfig } from './webhook-client-config.ts';

export const MutatingWebhook = t.struct('admissionregistration/v1.MutatingWebhook', {
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
  objectSelector: t.pointer(11, LabelSelector, { default: {} }),
  sideEffects: t.nullable(
    6,
    t.named('v1.SideEffectClass', t.oneOf(['Unknown', 'None', 'Some', 'NoneOnDryRun'])),
    {
      required: true,
    },
  ),
  timeoutSeconds: t.pointer(7, t.int32, { default: 10 }),
  admissionReviewVersions: t.always(8, t.atomicList(t.string), { required: true }),
  reinvocationPolicy: t.pointer(10, t.named('v1.ReinvocationPolicyType', t.oneOf(['Never', 'IfNeeded'])), {
    default: 'Never',
  }),
  matchConditions: t.optional(12, t.listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface MutatingWebhook extends t.Static<typeof MutatingWebhook> {}
