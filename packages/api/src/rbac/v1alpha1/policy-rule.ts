import * as t from '@coxswain/schema';

export const PolicyRule = t.struct('rbac/v1alpha1.PolicyRule', {
  verbs: t.always(1, t.atomicList(t.string)),
  apiGroups: t.optional(3, t.atomicList(t.string), { go: 'APIGroups' }),
  resources: t.optional(4, t.atomicList(t.string)),
  resourceNames: t.optional(5, t.atomicList(t.string)),
  nonResourceURLs: t.optional(6, t.atomicList(t.string)),
});
export interface PolicyRule extends t.Static<typeof PolicyRule> {}
