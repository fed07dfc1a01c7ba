import * as t from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateRole } from '../rbac-validation.ts';

export const Role = t.kind(
  'rbac/v1.Role',
  'rbac.authorization.k8s.io/v1',
  { plural: 'roles', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    rules: t.always(2, t.atomicList(PolicyRule)),
  },
  {
    validate: validateRole,
    columns: defaultColumns,
  },
);
export interface Role extends t.Static<typeof Role> {}
