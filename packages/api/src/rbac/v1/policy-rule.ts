import * as t from '@coxswain/schema';

export const PolicyRule = t.struct('rbac/v1.PolicyRule', {
  verbs: t.always(1, t.atomicList(t.string), { required: true }),
  apiGroups: t.optional(2, t.atomicList(t.string), { go: 'APIGroups' }),
  resources: t.optional(3, t.atomicList(t.string)),
  resourceNames: t.optional(4, t.atomicList(t.string)),
  nonResourceURLs: t.optional(5, t.atomicList(t.string)),
});
export interface PolicyRule extends t.Static<typeof PolicyRule> {}
