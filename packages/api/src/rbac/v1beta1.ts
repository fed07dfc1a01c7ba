import * as t from '@coxswain/schema';
import * as v1 from './v1/index.ts';
import { defaultSubjects } from './v1/subject-defaults.ts';

export const PolicyRule = t.structIn('rbac/v1beta1', v1.PolicyRule, {
  fields: { verbs: t.always(1, t.atomicList(t.string)) },
});
export interface PolicyRule extends t.Static<typeof PolicyRule> {}

export const ClusterRole = t.kindIn('rbac/v1beta1', v1.ClusterRole, {
  fields: { rules: t.always(2, t.atomicList(PolicyRule)) },
  shared: ['columns'],
});
export interface ClusterRole extends t.Static<typeof ClusterRole> {}

export const RoleRef = t.struct('rbac/v1beta1.RoleRef', {
  apiGroup: t.always(1, t.string, { default: 'rbac.authorization.k8s.io', go: 'APIGroup' }),
  kind: t.always(2, t.string),
  name: t.always(3, t.string),
});
export interface RoleRef extends t.Static<typeof RoleRef> {}

export const Subject = t.struct('rbac/v1beta1.Subject', {
  kind: t.always(1, t.string),
  apiGroup: t.optional(2, t.string, { go: 'APIGroup' }),
  name: t.always(3, t.string),
  namespace: t.optional(4, t.string),
});
export interface Subject extends t.Static<typeof Subject> {}

export const ClusterRoleBinding = t.kindIn(
  'rbac/v1beta1',
  v1.ClusterRoleBinding,
  {
    fields: { subjects: t.optional(2, t.atomicList(Subject)), roleRef: t.always(3, RoleRef) },
    shared: ['columns'],
  },
  { defaults: [defaultSubjects] },
);
export interface ClusterRoleBinding extends t.Static<typeof ClusterRoleBinding> {}

export const Role = t.kindIn('rbac/v1beta1', v1.Role, {
  fields: { rules: t.always(2, t.atomicList(PolicyRule)) },
  shared: ['columns'],
});
export interface Role extends t.Static<typeof Role> {}

export const RoleBinding = t.kindIn(
  'rbac/v1beta1',
  v1.RoleBinding,
  {
    fields: { subjects: t.optional(2, t.atomicList(Subject)), roleRef: t.always(3, RoleRef) },
    shared: ['columns'],
  },
  { defaults: [defaultSubjects] },
);
export interface RoleBinding extends t.Static<typeof RoleBinding> {}
