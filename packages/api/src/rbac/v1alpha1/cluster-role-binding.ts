import * as t from '@coxswain/schema';
import { Subject } from './subject.ts';
import * as v1beta1 from '../v1beta1/cluster-role-binding.ts';

export const ClusterRoleBinding = t.kindIn('rbac/v1alpha1', v1beta1.ClusterRoleBinding, {
  fields: { subjects: t.optional(2, t.atomicList(Subject)) },
});
export interface ClusterRoleBinding extends t.Static<typeof ClusterRoleBinding> {}
