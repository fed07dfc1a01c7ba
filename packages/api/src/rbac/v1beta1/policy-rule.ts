import * as t from '@coxswain/schema';
import * as v1 from '../v1/policy-rule.ts';

export const PolicyRule = t.structIn('rbac/v1beta1', v1.PolicyRule, {
  fields: { verbs: t.always(1, t.atomicList(t.string)) },
});
export interface PolicyRule extends t.Static<typeof PolicyRule> {}
