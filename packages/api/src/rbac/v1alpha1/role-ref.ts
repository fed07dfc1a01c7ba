import * as t from '@coxswain/schema';

export const RoleRef = t.struct('rbac/v1alpha1.RoleRef', {
  apiGroup: t.always(1, t.string, { default: 'rbac.authorization.k8s.io', go: 'APIGroup' }),
  kind: t.always(2, t.string),
  name: t.always(3, t.string),
});
export interface RoleRef extends t.Static<typeof RoleRef> {}
