import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const RoleRef = struct(
  'rbac/v1.RoleRef',
  {
    apiGroup: always(1, string, { default: 'rbac.authorization.k8s.io', go: 'APIGroup' }),
    kind: always(2, string, { required: true }),
    name: always(3, string, { required: true }),
  },
  { atomic: true },
);
export interface RoleRef extends Static<typeof RoleRef> {}
