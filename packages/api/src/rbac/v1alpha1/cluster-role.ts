import * as t from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';
import * as v1beta1 from '../v1beta1/cluster-role.ts';

export const ClusterRole = t.kindIn('rbac/v1alpha1', v1beta1.ClusterRole, {
  fields: { rules: t.always(2, t.atomicList(PolicyRule)) },
});
export interface ClusterRole extends t.Static<typeof ClusterRole> {}
