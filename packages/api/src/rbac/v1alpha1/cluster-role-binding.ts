import * as t from '@coxswain/schema';
import { RoleRef } from './role-ref.ts';
import { Subject } from './subject.ts';

export const ClusterRoleBinding = t.kind(
  'rbac/v1alpha1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1alpha1',
  { plural: 'clusterrolebindings', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    subjects: t.optional(2, t.atomicList(Subject)),
    roleRef: t.always(3, RoleRef),
  },
);
export interface ClusterRoleBinding extends t.Static<typeof ClusterRoleBinding> {}
