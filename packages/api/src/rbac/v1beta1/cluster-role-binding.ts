import * as t from '@coxswain/schema';
import { RoleRef } from './role-ref.ts';
import { Subject } from './subject.ts';
import { defaultSubjects } from '../v1/subject-defaults.ts';
import { bindingColumns } from '../v1/binding-columns.ts';
import * as v1 from '../v1/cluster-role-binding.ts';

export const ClusterRoleBinding = t.kindIn(
  'rbac/v1beta1',
  v1.ClusterRoleBinding,
  { fields: { subjects: t.optional(2, t.atomicList(Subject)), roleRef: t.always(3, RoleRef) } },
  { defaults: [defaultSubjects], columns: bindingColumns },
);
export interface ClusterRoleBinding extends t.Static<typeof ClusterRoleBinding> {}
