import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { PolicyRule } from './policy-rule.ts';

export const AggregationRule = t.struct('rbac/v1alpha1.AggregationRule', {
  clusterRoleSelectors: t.optional(1, t.atomicList(LabelSelector)),
});
export interface AggregationRule extends t.Static<typeof AggregationRule> {}

export const ClusterRole = t.kind(
  'rbac/v1alpha1.ClusterRole',
  'rbac.authorization.k8s.io/v1alpha1',
  { plural: 'clusterroles', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    rules: t.always(2, t.atomicList(PolicyRule)),
    aggregationRule: t.pointer(3, AggregationRule),
  },
);
export interface ClusterRole extends t.Static<typeof ClusterRole> {}
