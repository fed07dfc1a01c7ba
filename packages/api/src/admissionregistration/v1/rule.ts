import { atomicList, oneOf, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Rule = struct('admissionregistration/v1.Rule', {
  apiGroups: optional(1, atomicList(string), { go: 'APIGroups' }),
  apiVersions: optional(2, atomicList(string), { go: 'APIVersions' }),
  resources: optional(3, atomicList(string)),
  scope: pointer(4, named('v1.ScopeType', oneOf(['Cluster', 'Namespaced', '*'])), { default: '*' }),
});
export interface Rule extends Static<typeof Rule> {}
