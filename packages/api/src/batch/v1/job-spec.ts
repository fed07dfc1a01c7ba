import {
  always,
  atomicList,
  bool,
  int32,
  int64,
  listSet,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const PodFailurePolicyOnExitCodesRequirement = struct(
  'batch/v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: pointer(1, string),
    operator: always(2, named('v1.PodFailurePolicyOnExitCodesOperator', oneOf(['In', 'NotIn'])), {
      required: true,
    }),
    values: always(3, listSet(int32), { required: true }),
  },
);
export interface PodFailurePolicyOnExitCodesRequirement extends Static<
  typeof PodFailurePolicyOnExitCodesRequirement
> {}

export const PodFailurePolicyOnPodConditionsPattern = struct(
  'batch/v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: always(1, named('v1.PodConditionType', string), { required: true }),
    status: always(2, named('v1.ConditionStatus', string), { default: 'True' }),
  },
);
export interface PodFailurePolicyOnPodConditionsPattern extends Static<
  typeof PodFailurePolicyOnPodConditionsPattern
> {}

export const PodFailurePolicyRule = struct('batch/v1.PodFailurePolicyRule', {
  action: always(1, named('v1.PodFailurePolicyAction', oneOf(['FailJob', 'FailIndex', 'Ignore', 'Count'])), {
    required: true,
  }),
  onExitCodes: pointer(2, PodFailurePolicyOnExitCodesRequirement),
  onPodConditions: optional(3, atomicList(PodFailurePolicyOnPodConditionsPattern)),
});
export interface PodFailurePolicyRule extends Static<typeof PodFailurePolicyRule> {}

export const PodFailurePolicy = struct('batch/v1.PodFailurePolicy', {
  rules: always(1, atomicList(PodFailurePolicyRule), { required: true }),
});
export interface PodFailurePolicy extends Static<typeof PodFailurePolicy> {}

export const SuccessPolicyRule = struct('batch/v1.SuccessPolicyRule', {
  succeededIndexes: pointer(1, string),
  succeededCount: pointer(2, int32),
});
export interface SuccessPolicyRule extends Static<typeof SuccessPolicyRule> {}

export const SuccessPolicy = struct('batch/v1.SuccessPolicy', {
  rules: always(1, atomicList(SuccessPolicyRule), { required: true }),
});
export interface SuccessPolicy extends Static<typeof SuccessPolicy> {}

export const JobSpec = struct('batch/v1.JobSpec', {
  parallelism: pointer(1, int32),
  completions: pointer(2, int32),
  activeDeadlineSeconds: pointer(3, int64),
  podFailurePolicy: pointer(11, PodFailurePolicy),
  successPolicy: pointer(16, SuccessPolicy),
  backoffLimit: pointer(7, int32),
  backoffLimitPerIndex: pointer(12, int32),
  maxFailedIndexes: pointer(13, int32),
  selector: pointer(4, LabelSelector),
  manualSelector: pointer(5, bool),
  template: always(6, PodTemplateSpec, { required: true }),
  ttlSecondsAfterFinished: pointer(8, int32, { go: 'TTLSecondsAfterFinished' }),
  completionMode: pointer(9, named('v1.CompletionMode', oneOf(['NonIndexed', 'Indexed']))),
  suspend: pointer(10, bool),
  podReplacementPolicy: pointer(
    14,
    named('v1.PodReplacementPolicy', oneOf(['TerminatingOrFailed', 'Failed'])),
  ),
  managedBy: pointer(15, string),
});
export interface JobSpec extends Static<typeof JobSpec> {}
