import * as t from '@coxswain/schema';
import { Subject } from './subject.ts';
import * as v1beta1 from '../v1beta1/role-binding.ts';

export const RoleBinding = t.kindIn('rbac/v1alpha1', v1beta1.RoleBinding, {
  fields: { subjects: t.optional(2, t.atomicList(Subject)) },
});
export interface RoleBinding extends t.Static<typeof RoleBinding> {}
