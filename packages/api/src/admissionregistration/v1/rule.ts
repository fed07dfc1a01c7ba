import * as t from '@coxswain/schema';

export const Rule = t.struct('admissionregistration/v1.Rule', {
  apiGroups: t.optional(1, t.atomicList(t.string), { go: 'APIGroups' }),
  apiVersions: t.optional(2, t.atomicList(t.string), { go: 'APIVersions' }),
  resources: t.optional(3, t.atomicList(t.string)),
  scope: t.pointer(4, t.named('v1.ScopeType', t.oneOf(['Cluster', 'Namespaced', '*'])), { default: '*' }),
});
export interface Rule extends t.Static<typeof Rule> {}
