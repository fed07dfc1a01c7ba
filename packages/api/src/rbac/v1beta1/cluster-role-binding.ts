import * as t from '@coxswain/schema';
import { RoleRef } from './role-ref.ts';
import { Subject } from './subject.ts';
import { defaultSubjects } from '../v1/subject-defaults.ts';
import { bindingColumns } from '../v1/binding-columns.ts';

export const ClusterRoleBinding = t.kind(
  'rbac/v1beta1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1beta1',
  { plural: 'clusterrolebindings', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    subjects: t.optional(2, t.atomicList(Subject)),
    roleRef: t.always(3, RoleRef),
  },
  {
    defaults: [defaultSubjects],
    columns: bindingColumns,
  },
);
export interface ClusterRoleBinding extends t.Static<typeof ClusterRoleBinding> {}
