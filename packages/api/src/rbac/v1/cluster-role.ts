import { always, atomicList, kind, ObjectMeta, optional, pointer, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { PolicyRule } from './policy-rule.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateClusterRole } from '../rbac-validation.ts';

export const AggregationRule = struct('rbac/v1.AggregationRule', {
  clusterRoleSelectors: optional(1, atomicList(LabelSelector)),
});
export interface AggregationRule extends Static<typeof AggregationRule> {}

export const ClusterRole = kind(
  'rbac/v1.ClusterRole',
  'rbac.authorization.k8s.io/v1',
  { plural: 'clusterroles', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    rules: always(2, atomicList(PolicyRule)),
    aggregationRule: pointer(3, AggregationRule),
  },
  {
    validate: validateClusterRole,
    columns: defaultColumns,
  },
);
export interface ClusterRole extends Static<typeof ClusterRole> {}
