import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const PodFailurePolicyOnExitCodesRequirement = t.struct(
  'batch/v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: t.pointer(1, t.string),
    operator: t.always(2, t.named('v1.PodFailurePolicyOnExitCodesOperator', t.oneOf(['In', 'NotIn'])), {
      required: true,
    }),
    values: t.always(3, t.listSet(t.int32), { required: true }),
  },
);
export interface PodFailurePolicyOnExitCodesRequirement extends t.Static<
  typeof PodFailurePolicyOnExitCodesRequirement
> {}

export const PodFailurePolicyOnPodConditionsPattern = t.struct(
  'batch/v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: t.always(1, t.named('v1.PodConditionType', t.string), { required: true }),
    status: t.always(2, t.named('v1.ConditionStatus', t.string), { default: 'True' }),
  },
);
export interface PodFailurePolicyOnPodConditionsPattern extends t.Static<
  typeof PodFailurePolicyOnPodConditionsPattern
> {}

export const PodFailurePolicyRule = t.struct('batch/v1.PodFailurePolicyRule', {
  action: t.always(
    1,
    t.named('v1.PodFailurePolicyAction', t.oneOf(['FailJob', 'FailIndex', 'Ignore', 'Count'])),
    {
      required: true,
    },
  ),
  onExitCodes: t.pointer(2, PodFailurePolicyOnExitCodesRequirement),
  onPodConditions: t.optional(3, t.atomicList(PodFailurePolicyOnPodConditionsPattern)),
});
export interface PodFailurePolicyRule extends t.Static<typeof PodFailurePolicyRule> {}

export const PodFailurePolicy = t.struct('batch/v1.PodFailurePolicy', {
  rules: t.always(1, t.atomicList(PodFailurePolicyRule), { required: true }),
});
export interface PodFailurePolicy extends t.Static<typeof PodFailurePolicy> {}

export const SuccessPolicyRule = t.struct('batch/v1.SuccessPolicyRule', {
  succeededIndexes: t.pointer(1, t.string),
  succeededCount: t.pointer(2, t.int32),
});
export interface SuccessPolicyRule extends t.Static<typeof SuccessPolicyRule> {}

export const SuccessPolicy = t.struct('batch/v1.SuccessPolicy', {
  rules: t.always(1, t.atomicList(SuccessPolicyRule), { required: true }),
});
export interface SuccessPolicy extends t.Static<typeof SuccessPolicy> {}

export const JobSpec = t.struct('batch/v1.JobSpec', {
  parallelism: t.pointer(1, t.int32),
  completions: t.pointer(2, t.int32),
  activeDeadlineSeconds: t.pointer(3, t.int64),
  podFailurePolicy: t.pointer(11, PodFailurePolicy),
  successPolicy: t.pointer(16, SuccessPolicy),
  backoffLimit: t.pointer(7, t.int32),
  backoffLimitPerIndex: t.pointer(12, t.int32),
  maxFailedIndexes: t.pointer(13, t.int32),
  selector: t.pointer(4, LabelSelector),
  manualSelector: t.pointer(5, t.bool),
  template: t.always(6, PodTemplateSpec, { required: true }),
  ttlSecondsAfterFinished: t.pointer(8, t.int32, { go: 'TTLSecondsAfterFinished' }),
  completionMode: t.pointer(9, t.named('v1.CompletionMode', t.oneOf(['NonIndexed', 'Indexed']))),
  suspend: t.pointer(10, t.bool),
  podReplacementPolicy: t.pointer(
    14,
    t.named('v1.PodReplacementPolicy', t.oneOf(['TerminatingOrFailed', 'Failed'])),
  ),
  managedBy: t.pointer(15, t.string),
});
export interface JobSpec extends t.Static<typeof JobSpec> {}
