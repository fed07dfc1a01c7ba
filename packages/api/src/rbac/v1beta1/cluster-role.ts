import * as t from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';
import { defaultColumns } from '../../meta/columns.ts';
import * as v1 from '../v1/cluster-role.ts';

export const ClusterRole = t.kindIn(
  'rbac/v1beta1',
  v1.ClusterRole,
  { fields: { rules: t.always(2, t.atomicList(PolicyRule)) } },
  { columns: defaultColumns },
);
export interface ClusterRole extends t.Static<typeof ClusterRole> {}
