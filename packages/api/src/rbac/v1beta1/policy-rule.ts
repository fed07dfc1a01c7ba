import { always, atomicList, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const PolicyRule = struct('rbac/v1beta1.PolicyRule', {
  verbs: always(1, atomicList(string)),
  apiGroups: optional(2, atomicList(string), { go: 'APIGroups' }),
  resources: optional(3, atomicList(string)),
  resourceNames: optional(4, atomicList(string)),
  nonResourceURLs: optional(5, atomicList(string)),
});
export interface PolicyRule extends Static<typeof PolicyRule> {}
