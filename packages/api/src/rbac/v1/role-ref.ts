import * as t from '@coxswain/schema';

export const RoleRef = t.struct(
  'rbac/v1.RoleRef',
  {
    apiGroup: t.always(1, t.string, { default: 'rbac.authorization.k8s.io', go: 'APIGroup' }),
    kind: t.always(2, t.string, { required: true }),
    name: t.always(3, t.string, { required: true }),
  },
  { atomic: true },
);
export interface RoleRef extends t.Static<typeof RoleRef> {}
