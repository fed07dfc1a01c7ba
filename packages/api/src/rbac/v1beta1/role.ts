import * as t from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';
import { defaultColumns } from '../../meta/columns.ts';

export const Role = t.kind(
  'rbac/v1beta1.Role',
  'rbac.authorization.k8s.io/v1beta1',
  { plural: 'roles', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    rules: t.always(2, t.atomicList(PolicyRule)),
  },
  {
    columns: defaultColumns,
  },
);
export interface Role extends t.Static<typeof Role> {}
