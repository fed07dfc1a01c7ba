import { always, atomicList, kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateRole } from '../rbac-validation.ts';

export const Role = kind(
  'rbac/v1.Role',
  'rbac.authorization.k8s.io/v1',
  { plural: 'roles', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    rules: always(2, atomicList(PolicyRule)),
  },
  {
    validate: validateRole,
    columns: defaultColumns,
  },
);
export interface Role extends Static<typeof Role> {}
