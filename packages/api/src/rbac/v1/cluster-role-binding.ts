import * as t from '@coxswain/schema';
import { RoleRef } from './role-ref.ts';
import { Subject } from './subject.ts';
import { defaultSubjects } from './subject-defaults.ts';
import { bindingColumns } from './binding-columns.ts';
import { validateClusterRoleBinding } from '../rbac-validation.ts';

export const ClusterRoleBinding = t.kind(
  'rbac/v1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1',
  { plural: 'clusterrolebindings', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    subjects: t.optional(2, t.atomicList(Subject)),
    roleRef: t.always(3, RoleRef, { required: true }),
  },
  {
    defaults: [defaultSubjects],
    validate: validateClusterRoleBinding,
    columns: bindingColumns,
  },
);
export interface ClusterRoleBinding extends t.Static<typeof ClusterRoleBinding> {}
