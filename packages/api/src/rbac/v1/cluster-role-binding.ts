import { always, atomicList, kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { RoleRef } from './role-ref.ts';
import { Subject } from './subject.ts';
import { defaultSubjects } from './subject-defaults.ts';
import { bindingColumns } from './binding-columns.ts';
import { validateClusterRoleBinding } from '../rbac-validation.ts';

export const ClusterRoleBinding = kind(
  'rbac/v1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1',
  { plural: 'clusterrolebindings', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    subjects: optional(2, atomicList(Subject)),
    roleRef: always(3, RoleRef, { required: true }),
  },
  {
    defaults: [defaultSubjects],
    validate: validateClusterRoleBinding,
    columns: bindingColumns,
  },
);
export interface ClusterRoleBinding extends Static<typeof ClusterRoleBinding> {}
