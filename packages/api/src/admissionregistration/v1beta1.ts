import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import * as v1 from './v1/index.ts';

export const NamedRuleWithOperations = t.structIn(
  'admissionregistration/v1beta1',
  v1.NamedRuleWithOperations,
  { fields: { ruleWithOperations: t.embedded(2, v1.RuleWithOperations) } },
);
export interface NamedRuleWithOperations extends t.Static<typeof NamedRuleWithOperations> {}

export const MatchResources = t.structIn('admissionregistration/v1beta1', v1.MatchResources, {
  fields: {
    resourceRules: t.optional(3, t.atomicList(NamedRuleWithOperations)),
    excludeResourceRules: t.optional(4, t.atomicList(NamedRuleWithOperations)),
    matchPolicy: t.pointer(7, t.named('v1beta1.MatchPolicyType', t.string), { default: 'Equivalent' }),
  },
});
export interface MatchResources extends t.Static<typeof MatchResources> {}

export const MutatingAdmissionPolicySpec = t.structIn(
  'admissionregistration/v1beta1',
  v1.MutatingAdmissionPolicySpec,
  {
    fields: {
      matchConstraints: t.pointer(2, MatchResources),
      failurePolicy: t.pointer(5, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Fail' }),
      reinvocationPolicy: t.optional(7, t.named('v1.ReinvocationPolicyType', t.oneOf(['Never', 'IfNeeded']))),
    },
  },
);
export interface MutatingAdmissionPolicySpec extends t.Static<typeof MutatingAdmissionPolicySpec> {}

export const MutatingAdmissionPolicy = t.kindIn('admissionregistration/v1beta1', v1.MutatingAdmissionPolicy, {
  fields: { spec: t.optional(2, MutatingAdmissionPolicySpec) },
  shared: ['validate', 'columns'],
});
export interface MutatingAdmissionPolicy extends t.Static<typeof MutatingAdmissionPolicy> {}

export const MutatingAdmissionPolicyBindingSpec = t.structIn(
  'admissionregistration/v1beta1',
  v1.MutatingAdmissionPolicyBindingSpec,
  { fields: { matchResources: t.pointer(3, MatchResources) } },
);
export interface MutatingAdmissionPolicyBindingSpec extends t.Static<
  typeof MutatingAdmissionPolicyBindingSpec
> {}

export const MutatingAdmissionPolicyBinding = t.kindIn(
  'admissionregistration/v1beta1',
  v1.MutatingAdmissionPolicyBinding,
  { fields: { spec: t.optional(2, MutatingAdmissionPolicyBindingSpec) }, shared: ['validate', 'columns'] },
);
export interface MutatingAdmissionPolicyBinding extends t.Static<typeof MutatingAdmissionPolicyBinding> {}

export const ServiceReference = t.structIn('admissionregistration/v1beta1', v1.ServiceReference, {
  fields: { namespace: t.always(1, t.string), name: t.always(2, t.string) },
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const WebhookClientConfig = t.structIn('admissionregistration/v1beta1', v1.WebhookClientConfig, {
  fields: { service: t.pointer(1, ServiceReference) },
});
export interface WebhookClientConfig extends t.Static<typeof WebhookClientConfig> {}

export const MutatingWebhook = t.structIn('admissionregistration/v1beta1', v1.MutatingWebhook, {
  fields: {
    name: t.always(1, t.string),
    clientConfig: t.always(2, WebhookClientConfig),
    rules: t.optional(3, t.atomicList(v1.RuleWithOperations)),
    failurePolicy: t.pointer(4, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Ignore' }),
    matchPolicy: t.pointer(9, t.named('v1beta1.MatchPolicyType', t.string), { default: 'Exact' }),
    sideEffects: t.pointer(6, t.named('v1beta1.SideEffectClass', t.string), { default: 'Unknown' }),
    timeoutSeconds: t.pointer(7, t.int32, { default: 30 }),
    admissionReviewVersions: t.optional(8, t.atomicList(t.string), { default: ['v1beta1'] }),
    reinvocationPolicy: t.pointer(10, t.named('v1.ReinvocationPolicyType', t.string), { default: 'Never' }),
  },
});
export interface MutatingWebhook extends t.Static<typeof MutatingWebhook> {}

export const MutatingWebhookConfiguration = t.kindIn(
  'admissionregistration/v1beta1',
  v1.MutatingWebhookConfiguration,
  {
    fields: {
      webhooks: t.optional(2, t.listMap(MutatingWebhook, ['name']), {
        patch: 'merge',
        patchKey: 'name',
        proto: 'Webhooks',
      }),
    },
  },
  {
    columns: [
      nameColumn,
      column('Webhooks', ({ webhooks }) => (webhooks ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface MutatingWebhookConfiguration extends t.Static<typeof MutatingWebhookConfiguration> {}

export const ParamRef = t.structIn('admissionregistration/v1beta1', v1.ParamRef);
export interface ParamRef extends t.Static<typeof ParamRef> {}

export const AuditAnnotation = t.struct('admissionregistration/v1beta1.AuditAnnotation', {
  key: t.always(1, t.string),
  valueExpression: t.always(2, t.string),
});
export interface AuditAnnotation extends t.Static<typeof AuditAnnotation> {}

export const ExpressionWarning = t.struct('admissionregistration/v1beta1.ExpressionWarning', {
  fieldRef: t.always(2, t.string),
  warning: t.always(3, t.string),
});
export interface ExpressionWarning extends t.Static<typeof ExpressionWarning> {}

export const TypeChecking = t.struct('admissionregistration/v1beta1.TypeChecking', {
  expressionWarnings: t.optional(1, t.atomicList(ExpressionWarning)),
});
export interface TypeChecking extends t.Static<typeof TypeChecking> {}

export const Validation = t.structIn('admissionregistration/v1beta1', v1.Validation, {
  fields: {
    expression: t.always(1, t.string, { proto: 'Expression' }),
    reason: t.pointer(3, t.named('v1.StatusReason', t.string)),
  },
});
export interface Validation extends t.Static<typeof Validation> {}

export const ValidatingAdmissionPolicySpec = t.structIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicySpec,
  {
    fields: {
      matchConstraints: t.pointer(2, MatchResources),
      validations: t.optional(3, t.atomicList(Validation)),
      failurePolicy: t.pointer(4, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Fail' }),
      auditAnnotations: t.optional(5, t.atomicList(AuditAnnotation)),
    },
  },
);
export interface ValidatingAdmissionPolicySpec extends t.Static<typeof ValidatingAdmissionPolicySpec> {}

export const ValidatingAdmissionPolicyStatus = t.structIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicyStatus,
  { fields: { typeChecking: t.pointer(2, TypeChecking) } },
);
export interface ValidatingAdmissionPolicyStatus extends t.Static<typeof ValidatingAdmissionPolicyStatus> {}

export const ValidatingAdmissionPolicy = t.kindIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicy,
  {
    fields: {
      spec: t.optional(2, ValidatingAdmissionPolicySpec),
      status: t.optional(3, ValidatingAdmissionPolicyStatus),
    },
    shared: ['validate', 'validateStatus', 'columns'],
  },
);
export interface ValidatingAdmissionPolicy extends t.Static<typeof ValidatingAdmissionPolicy> {}

export const ValidatingAdmissionPolicyBindingSpec = t.struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: t.optional(1, t.string),
    paramRef: t.pointer(2, ParamRef),
    matchResources: t.pointer(3, MatchResources),
    validationActions: t.optional(
      4,
      t.listSet(t.named('v1beta1.ValidationAction', t.oneOf(['Deny', 'Warn', 'Audit']))),
    ),
  },
);
export interface ValidatingAdmissionPolicyBindingSpec extends t.Static<
  typeof ValidatingAdmissionPolicyBindingSpec
> {}

export const ValidatingAdmissionPolicyBinding = t.kindIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicyBinding,
  { fields: { spec: t.optional(2, ValidatingAdmissionPolicyBindingSpec) }, shared: ['validate', 'columns'] },
);
export interface ValidatingAdmissionPolicyBinding extends t.Static<typeof ValidatingAdmissionPolicyBinding> {}

export const ValidatingWebhook = t.structIn('admissionregistration/v1beta1', v1.ValidatingWebhook, {
  fields: {
    name: t.always(1, t.string),
    clientConfig: t.always(2, WebhookClientConfig),
    rules: t.optional(3, t.atomicList(v1.RuleWithOperations)),
    failurePolicy: t.pointer(4, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Ignore' }),
    matchPolicy: t.pointer(9, t.named('v1beta1.MatchPolicyType', t.string), { default: 'Exact' }),
    sideEffects: t.pointer(6, t.named('v1beta1.SideEffectClass', t.string), { default: 'Unknown' }),
    timeoutSeconds: t.pointer(7, t.int32, { default: 30 }),
    admissionReviewVersions: t.optional(8, t.atomicList(t.string), { default: ['v1beta1'] }),
  },
});
export interface ValidatingWebhook extends t.Static<typeof ValidatingWebhook> {}

export const ValidatingWebhookConfiguration = t.kindIn(
  'admissionregistration/v1beta1',
  v1.ValidatingWebhookConfiguration,
  {
    fields: {
      webhooks: t.optional(2, t.listMap(ValidatingWebhook, ['name']), {
        patch: 'merge',
        patchKey: 'name',
        proto: 'Webhooks',
      }),
    },
  },
  {
    columns: [
      nameColumn,
      column('Webhooks', ({ webhooks }) => (webhooks ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface ValidatingWebhookConfiguration extends t.Static<typeof ValidatingWebhookConfiguration> {}
