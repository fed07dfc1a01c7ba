import * as t from '@coxswain/schema';
import * as v1beta1 from './v1beta1.ts';

export const PolicyRule = t.struct('rbac/v1alpha1.PolicyRule', {
  verbs: t.always(1, t.atomicList(t.string)),
  apiGroups: t.optional(3, t.atomicList(t.string), { go: 'APIGroups' }),
  resources: t.optional(4, t.atomicList(t.string)),
  resourceNames: t.optional(5, t.atomicList(t.string)),
  nonResourceURLs: t.optional(6, t.atomicList(t.string)),
});
export interface PolicyRule extends t.Static<typeof PolicyRule> {}

export const ClusterRole = t.kindIn('rbac/v1alpha1', v1beta1.ClusterRole, {
  fields: { rules: t.always(2, t.atomicList(PolicyRule)) },
});
export interface ClusterRole extends t.Static<typeof ClusterRole> {}

export const Subject = t.struct('rbac/v1alpha1.Subject', {
  kind: t.always(1, t.string),
  apiVersion: t.optional(2, t.string, { go: 'APIVersion' }),
  name: t.always(3, t.string),
  namespace: t.optional(4, t.string),
});
export interface Subject extends t.Static<typeof Subject> {}

export const ClusterRoleBinding = t.kindIn('rbac/v1alpha1', v1beta1.ClusterRoleBinding, {
  fields: { subjects: t.optional(2, t.atomicList(Subject)) },
});
export interface ClusterRoleBinding extends t.Static<typeof ClusterRoleBinding> {}

export const Role = t.kindIn('rbac/v1alpha1', v1beta1.Role, {
  fields: { rules: t.always(2, t.atomicList(PolicyRule)) },
});
export interface Role extends t.Static<typeof Role> {}

export const RoleBinding = t.kindIn('rbac/v1alpha1', v1beta1.RoleBinding, {
  fields: { subjects: t.optional(2, t.atomicList(Subject)) },
});
export interface RoleBinding extends t.Static<typeof RoleBinding> {}
