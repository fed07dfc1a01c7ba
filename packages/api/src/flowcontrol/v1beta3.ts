import * as t from '@coxswain/schema';
import * as v1 from './v1/index.ts';

export const FlowDistinguisherMethod = t.struct('flowcontrol/v1beta3.FlowDistinguisherMethod', {
  type: t.always(1, t.named('v1beta3.FlowDistinguisherMethodType', t.string)),
});
export interface FlowDistinguisherMethod extends t.Static<typeof FlowDistinguisherMethod> {}

export const PriorityLevelConfigurationReference = t.struct(
  'flowcontrol/v1beta3.PriorityLevelConfigurationReference',
  {
    name: t.always(1, t.string),
  },
);
export interface PriorityLevelConfigurationReference extends t.Static<
  typeof PriorityLevelConfigurationReference
> {}

export const UserSubject = t.struct('flowcontrol/v1beta3.UserSubject', {
  name: t.always(1, t.string),
});
export interface UserSubject extends t.Static<typeof UserSubject> {}

export const GroupSubject = t.struct('flowcontrol/v1beta3.GroupSubject', {
  name: t.always(1, t.string),
});
export interface GroupSubject extends t.Static<typeof GroupSubject> {}

export const ServiceAccountSubject = t.struct('flowcontrol/v1beta3.ServiceAccountSubject', {
  namespace: t.always(1, t.string),
  name: t.always(2, t.string),
});
export interface ServiceAccountSubject extends t.Static<typeof ServiceAccountSubject> {}

export const Subject = t.structIn('flowcontrol/v1beta3', v1.Subject, {
  fields: {
    kind: t.always(1, t.named('v1beta3.SubjectKind', t.string)),
    user: t.pointer(2, UserSubject),
    group: t.pointer(3, GroupSubject),
    serviceAccount: t.pointer(4, ServiceAccountSubject),
  },
});
export interface Subject extends t.Static<typeof Subject> {}

export const ResourcePolicyRule = t.structIn('flowcontrol/v1beta3', v1.ResourcePolicyRule, {
  fields: {
    verbs: t.always(1, t.listSet(t.string)),
    apiGroups: t.always(2, t.listSet(t.string), { go: 'APIGroups' }),
    resources: t.always(3, t.listSet(t.string)),
  },
});
export interface ResourcePolicyRule extends t.Static<typeof ResourcePolicyRule> {}

export const NonResourcePolicyRule = t.struct('flowcontrol/v1beta3.NonResourcePolicyRule', {
  verbs: t.always(1, t.listSet(t.string)),
  nonResourceURLs: t.always(6, t.listSet(t.string)),
});
export interface NonResourcePolicyRule extends t.Static<typeof NonResourcePolicyRule> {}

export const PolicyRulesWithSubjects = t.struct('flowcontrol/v1beta3.PolicyRulesWithSubjects', {
  subjects: t.always(1, t.atomicList(Subject)),
  resourceRules: t.optional(2, t.atomicList(ResourcePolicyRule)),
  nonResourceRules: t.optional(3, t.atomicList(NonResourcePolicyRule)),
});
export interface PolicyRulesWithSubjects extends t.Static<typeof PolicyRulesWithSubjects> {}

export const FlowSchemaSpec = t.struct('flowcontrol/v1beta3.FlowSchemaSpec', {
  priorityLevelConfiguration: t.always(1, PriorityLevelConfigurationReference),
  matchingPrecedence: t.always(2, t.int32, { default: 1000 }),
  distinguisherMethod: t.pointer(3, FlowDistinguisherMethod),
  rules: t.optional(4, t.atomicList(PolicyRulesWithSubjects)),
});
export interface FlowSchemaSpec extends t.Static<typeof FlowSchemaSpec> {}

export const FlowSchemaCondition = t.structIn('flowcontrol/v1beta3', v1.FlowSchemaCondition);
export interface FlowSchemaCondition extends t.Static<typeof FlowSchemaCondition> {}

export const FlowSchema = t.kindIn('flowcontrol/v1beta3', v1.FlowSchema, {
  fields: { spec: t.optional(2, FlowSchemaSpec) },
  shared: ['columns'],
});
export interface FlowSchema extends t.Static<typeof FlowSchema> {}

export const LimitResponse = t.structIn('flowcontrol/v1beta3', v1.LimitResponse, {
  fields: { type: t.always(1, t.named('v1beta3.LimitResponseType', t.string)) },
});
export interface LimitResponse extends t.Static<typeof LimitResponse> {}

export const LimitedPriorityLevelConfiguration = t.structIn(
  'flowcontrol/v1beta3',
  v1.LimitedPriorityLevelConfiguration,
  { fields: { nominalConcurrencyShares: t.always(1, t.int32), limitResponse: t.optional(2, LimitResponse) } },
);
export interface LimitedPriorityLevelConfiguration extends t.Static<
  typeof LimitedPriorityLevelConfiguration
> {}

export const PriorityLevelConfigurationSpec = t.structIn(
  'flowcontrol/v1beta3',
  v1.PriorityLevelConfigurationSpec,
  {
    fields: {
      type: t.always(1, t.named('v1beta3.PriorityLevelEnablement', t.string)),
      limited: t.pointer(2, LimitedPriorityLevelConfiguration),
    },
  },
);
export interface PriorityLevelConfigurationSpec extends t.Static<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationCondition = t.structIn(
  'flowcontrol/v1beta3',
  v1.PriorityLevelConfigurationCondition,
);
export interface PriorityLevelConfigurationCondition extends t.Static<
  typeof PriorityLevelConfigurationCondition
> {}

export const PriorityLevelConfiguration = t.kindIn(
  'flowcontrol/v1beta3',
  v1.PriorityLevelConfiguration,
  { fields: { spec: t.optional(2, PriorityLevelConfigurationSpec) }, shared: ['columns'] },
  { defaults: [defaultShares] },
);
export interface PriorityLevelConfiguration extends t.Static<typeof PriorityLevelConfiguration> {}

/** Zero shares are intended if the annotation says so: that is how v1 represents zero in this version. */
function defaultShares(level: { metadata: t.ObjectMeta; spec: PriorityLevelConfigurationSpec }): void {
  const limited = level.spec.limited;
  if (limited == null || limited.nominalConcurrencyShares) return;
  if (level.metadata.annotations?.[zeroSharesAnnotation] === undefined) limited.nominalConcurrencyShares = 30;
}

const zeroSharesAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
