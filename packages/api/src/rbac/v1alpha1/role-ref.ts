import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const RoleRef = struct('rbac/v1alpha1.RoleRef', {
  apiGroup: always(1, string, { default: 'rbac.authorization.k8s.io', go: 'APIGroup' }),
  kind: always(2, string),
  name: always(3, string),
});
export interface RoleRef extends Static<typeof RoleRef> {}
