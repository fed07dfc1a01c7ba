import * as t from '@coxswain/schema';
import { flowSchemaColumns } from '../v1/flow-schema-columns.ts';

export const FlowDistinguisherMethod = t.struct('flowcontrol/v1beta1.FlowDistinguisherMethod', {
  type: t.always(1, t.named('v1beta1.FlowDistinguisherMethodType', t.string)),
});
export interface FlowDistinguisherMethod extends t.Static<typeof FlowDistinguisherMethod> {}

export const PriorityLevelConfigurationReference = t.struct(
  'flowcontrol/v1beta1.PriorityLevelConfigurationReference',
  {
    name: t.always(1, t.string),
  },
);
export interface PriorityLevelConfigurationReference extends t.Static<
  typeof PriorityLevelConfigurationReference
> {}

export const UserSubject = t.struct('flowcontrol/v1beta1.UserSubject', {
  name: t.always(1, t.string),
});
export interface UserSubject extends t.Static<typeof UserSubject> {}

export const GroupSubject = t.struct('flowcontrol/v1beta1.GroupSubject', {
  name: t.always(1, t.string),
});
export interface GroupSubject extends t.Static<typeof GroupSubject> {}

export const ServiceAccountSubject = t.struct('flowcontrol/v1beta1.ServiceAccountSubject', {
  namespace: t.always(1, t.string),
  name: t.always(2, t.string),
});
export interface ServiceAccountSubject extends t.Static<typeof ServiceAccountSubject> {}

export const Subject = t.struct(
  'flowcontrol/v1beta1.Subject',
  {
    kind: t.always(1, t.named('v1beta1.SubjectKind', t.string)),
    user: t.pointer(2, UserSubject),
    group: t.pointer(3, GroupSubject),
    serviceAccount: t.pointer(4, ServiceAccountSubject),
  },
  {
    unions: [
      { discriminator: 'kind', fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } },
    ],
  },
);
export interface Subject extends t.Static<typeof Subject> {}

export const ResourcePolicyRule = t.struct('flowcontrol/v1beta1.ResourcePolicyRule', {
  verbs: t.always(1, t.listSet(t.string)),
  apiGroups: t.always(2, t.listSet(t.string), { go: 'APIGroups' }),
  resources: t.always(3, t.listSet(t.string)),
  clusterScope: t.optional(4, t.bool),
  namespaces: t.always(5, t.listSet(t.string)),
});
export interface ResourcePolicyRule extends t.Static<typeof ResourcePolicyRule> {}

export const NonResourcePolicyRule = t.struct('flowcontrol/v1beta1.NonResourcePolicyRule', {
  verbs: t.always(1, t.listSet(t.string)),
  nonResourceURLs: t.always(6, t.listSet(t.string)),
});
export interface NonResourcePolicyRule extends t.Static<typeof NonResourcePolicyRule> {}

export const PolicyRulesWithSubjects = t.struct('flowcontrol/v1beta1.PolicyRulesWithSubjects', {
  subjects: t.always(1, t.atomicList(Subject)),
  resourceRules: t.optional(2, t.atomicList(ResourcePolicyRule)),
  nonResourceRules: t.optional(3, t.atomicList(NonResourcePolicyRule)),
});
export interface PolicyRulesWithSubjects extends t.Static<typeof PolicyRulesWithSubjects> {}

export const FlowSchemaSpec = t.struct('flowcontrol/v1beta1.FlowSchemaSpec', {
  priorityLevelConfiguration: t.always(1, PriorityLevelConfigurationReference),
  matchingPrecedence: t.always(2, t.int32, { default: 1000 }),
  distinguisherMethod: t.pointer(3, FlowDistinguisherMethod),
  rules: t.optional(4, t.atomicList(PolicyRulesWithSubjects)),
});
export interface FlowSchemaSpec extends t.Static<typeof FlowSchemaSpec> {}

export const FlowSchemaCondition = t.struct('flowcontrol/v1beta1.FlowSchemaCondition', {
  type: t.optional(1, t.named('v1beta1.FlowSchemaConditionType', t.string)),
  status: t.optional(2, t.named('v1beta1.ConditionStatus', t.string)),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface FlowSchemaCondition extends t.Static<typeof FlowSchemaCondition> {}

export const FlowSchemaStatus = t.struct('flowcontrol/v1beta1.FlowSchemaStatus', {
  conditions: t.optional(1, t.listMap(FlowSchemaCondition, ['type'])),
});
export interface FlowSchemaStatus extends t.Static<typeof FlowSchemaStatus> {}

export const FlowSchema = t.kind(
  'flowcontrol/v1beta1.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1beta1',
  { plural: 'flowschemas', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, FlowSchemaSpec),
    status: t.optional(3, FlowSchemaStatus),
  },
  {
    columns: flowSchemaColumns,
  },
);
export interface FlowSchema extends t.Static<typeof FlowSchema> {}
