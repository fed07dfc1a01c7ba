import * as t from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';
import { defaultColumns } from '../../meta/columns.ts';
import * as v1 from '../v1/role.ts';

export const Role = t.kindIn(
  'rbac/v1beta1',
  v1.Role,
  { fields: { rules: t.always(2, t.atomicList(PolicyRule)) } },
  { columns: defaultColumns },
);
export interface Role extends t.Static<typeof Role> {}
