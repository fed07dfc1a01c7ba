import * as t from '@coxswain/schema';
import { MatchCondition } from './match-condition.ts';
import { MatchResources } from './match-resources.ts';
import { ParamKind } from './param-kind.ts';
import { Variable } from './variable.ts';

export const ApplyConfiguration = t.struct('admissionregistration/v1.ApplyConfiguration', {
  expression: t.optional(1, t.string),
});
export interface ApplyConfiguration extends t.Static<typeof ApplyConfiguration> {}

export const JSONPatch = t.struct('admissionregistration/v1.JSONPatch', {
  expression: t.optional(1, t.string),
});
export interface JSONPatch extends t.Static<typeof JSONPatch> {}

export const Mutation = t.struct('admissionregistration/v1.Mutation', {
  patchType: t.always(2, t.named('v1.PatchType', t.oneOf(['ApplyConfiguration', 'JSONPatch'])), {
    required: true,
  }),
  applyConfiguration: t.pointer(3, ApplyConfiguration),
  jsonPatch: t.pointer(4, JSONPatch, { go: 'JSONPatch' }),
});
export interface Mutation extends t.Static<typeof Mutation> {}

export const MutatingAdmissionPolicySpec = t.struct('admissionregistration/v1.MutatingAdmissionPolicySpec', {
  paramKind: t.pointer(1, ParamKind),
  matchConstraints: t.pointer(2, MatchResources),
  variables: t.optional(3, t.atomicList(Variable)),
  mutations: t.optional(4, t.atomicList(Mutation)),
  failurePolicy: t.pointer(5, t.named('v1.FailurePolicyType', t.oneOf(['Ignore', 'Fail'])), {
    default: 'Fail',
  }),
  matchConditions: t.optional(6, t.listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
  reinvocationPolicy: t.optional(7, t.named('v1.ReinvocationPolicyType', t.oneOf(['Never', 'IfNeeded']))),
});
export interface MutatingAdmissionPolicySpec extends t.Static<typeof MutatingAdmissionPolicySpec> {}
