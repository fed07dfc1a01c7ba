import { always, atomicList, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const PolicyRule = struct('rbac/v1alpha1.PolicyRule', {
  verbs: always(1, atomicList(string)),
  apiGroups: optional(3, atomicList(string), { go: 'APIGroups' }),
  resources: optional(4, atomicList(string)),
  resourceNames: optional(5, atomicList(string)),
  nonResourceURLs: optional(6, atomicList(string)),
});
export interface PolicyRule extends Static<typeof PolicyRule> {}
