import { PodDisruptionBudget } from '@coxswain/api/policy/v1/index.ts';
import { PodDisruptionBudget as PodDisruptionBudgetV1beta1 } from '@coxswain/api/policy/v1beta1.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { budgetConversion } from './convert-pod-disruption-budget.ts';
import { podSecurityPolicyResource } from './pod-security-policy.ts';

export const policyGroup: Group = {
  name: 'policy',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [
    resource(PodDisruptionBudget, {
      status: true,
      generation: 'spec',
      allowUnconditionalUpdate: false,
      alsoAs: [legacy(PodDisruptionBudgetV1beta1, { conversion: budgetConversion })],
    }),
    podSecurityPolicyResource,
  ],
};
