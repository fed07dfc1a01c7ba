import {
  always,
  atomicList,
  kind,
  listMap,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { MatchCondition } from './match-condition.ts';
import { MatchResources } from './match-resources.ts';
import { ParamKind } from './param-kind.ts';
import { Variable } from './variable.ts';
import { mutatingPolicyColumns } from './policy-columns.ts';
import { validateMutatingPolicy } from '../policy-validation.ts';

export const ApplyConfiguration = struct('admissionregistration/v1.ApplyConfiguration', {
  expression: optional(1, string),
});
export interface ApplyConfiguration extends Static<typeof ApplyConfiguration> {}

export const JSONPatch = struct('admissionregistration/v1.JSONPatch', {
  expression: optional(1, string),
});
export interface JSONPatch extends Static<typeof JSONPatch> {}

export const Mutation = struct('admissionregistration/v1.Mutation', {
  patchType: always(2, named('v1.PatchType', oneOf(['ApplyConfiguration', 'JSONPatch'])), { required: true }),
  applyConfiguration: pointer(3, ApplyConfiguration),
  jsonPatch: pointer(4, JSONPatch, { go: 'JSONPatch' }),
});
export interface Mutation extends Static<typeof Mutation> {}

export const MutatingAdmissionPolicySpec = struct('admissionregistration/v1.MutatingAdmissionPolicySpec', {
  paramKind: pointer(1, ParamKind),
  matchConstraints: pointer(2, MatchResources),
  variables: optional(3, atomicList(Variable)),
  mutations: optional(4, atomicList(Mutation)),
  failurePolicy: pointer(5, named('v1.FailurePolicyType', oneOf(['Ignore', 'Fail'])), { default: 'Fail' }),
  matchConditions: optional(6, listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
  reinvocationPolicy: optional(7, named('v1.ReinvocationPolicyType', oneOf(['Never', 'IfNeeded']))),
});
export interface MutatingAdmissionPolicySpec extends Static<typeof MutatingAdmissionPolicySpec> {}

export const MutatingAdmissionPolicy = kind(
  'admissionregistration/v1.MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1',
  { plural: 'mutatingadmissionpolicies', categories: ['api-extensions'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, MutatingAdmissionPolicySpec),
  },
  {
    validate: validateMutatingPolicy,
    columns: mutatingPolicyColumns,
  },
);
export interface MutatingAdmissionPolicy extends Static<typeof MutatingAdmissionPolicy> {}
