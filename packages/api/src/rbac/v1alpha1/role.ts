import * as t from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';

export const Role = t.kind(
  'rbac/v1alpha1.Role',
  'rbac.authorization.k8s.io/v1alpha1',
  { plural: 'roles', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    rules: t.always(2, t.atomicList(PolicyRule)),
  },
);
export interface Role extends t.Static<typeof Role> {}
