import * as t from '@coxswain/schema';
import { RoleRef } from './role-ref.ts';
import { Subject } from './subject.ts';
import { defaultSubjects } from './subject-defaults.ts';
import { bindingColumns } from './binding-columns.ts';
import { validateRoleBinding } from '../rbac-validation.ts';

export const RoleBinding = t.kind(
  'rbac/v1.RoleBinding',
  'rbac.authorization.k8s.io/v1',
  { plural: 'rolebindings', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    subjects: t.optional(2, t.atomicList(Subject)),
    roleRef: t.always(3, RoleRef, { required: true }),
  },
  {
    defaults: [defaultSubjects],
    validate: validateRoleBinding,
    columns: bindingColumns,
  },
);
export interface RoleBinding extends t.Static<typeof RoleBinding> {}
