import {
  always,
  atomicList,
  bool,
  int32,
  kind,
  listMap,
  listSet,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { flowSchemaColumns } from '../v1/flow-schema-columns.ts';

export const FlowDistinguisherMethod = struct('flowcontrol/v1beta1.FlowDistinguisherMethod', {
  type: always(1, named('v1beta1.FlowDistinguisherMethodType', string)),
});
export interface FlowDistinguisherMethod extends Static<typeof FlowDistinguisherMethod> {}

export const PriorityLevelConfigurationReference = struct(
  'flowcontrol/v1beta1.PriorityLevelConfigurationReference',
  {
    name: always(1, string),
  },
);
export interface PriorityLevelConfigurationReference extends Static<
  typeof PriorityLevelConfigurationReference
> {}

export const UserSubject = struct('flowcontrol/v1beta1.UserSubject', {
  name: always(1, string),
});
export interface UserSubject extends Static<typeof UserSubject> {}

export const GroupSubject = struct('flowcontrol/v1beta1.GroupSubject', {
  name: always(1, string),
});
export interface GroupSubject extends Static<typeof GroupSubject> {}

export const ServiceAccountSubject = struct('flowcontrol/v1beta1.ServiceAccountSubject', {
  namespace: always(1, string),
  name: always(2, string),
});
export interface ServiceAccountSubject extends Static<typeof ServiceAccountSubject> {}

export const Subject = struct(
  'flowcontrol/v1beta1.Subject',
  {
    kind: always(1, named('v1beta1.SubjectKind', string)),
    user: pointer(2, UserSubject),
    group: pointer(3, GroupSubject),
    serviceAccount: pointer(4, ServiceAccountSubject),
  },
  {
    unions: [
      { discriminator: 'kind', fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } },
    ],
  },
);
export interface Subject extends Static<typeof Subject> {}

export const ResourcePolicyRule = struct('flowcontrol/v1beta1.ResourcePolicyRule', {
  verbs: always(1, listSet(string)),
  apiGroups: always(2, listSet(string), { go: 'APIGroups' }),
  resources: always(3, listSet(string)),
  clusterScope: optional(4, bool),
  namespaces: always(5, listSet(string)),
});
export interface ResourcePolicyRule extends Static<typeof ResourcePolicyRule> {}

export const NonResourcePolicyRule = struct('flowcontrol/v1beta1.NonResourcePolicyRule', {
  verbs: always(1, listSet(string)),
  nonResourceURLs: always(6, listSet(string)),
});
export interface NonResourcePolicyRule extends Static<typeof NonResourcePolicyRule> {}

export const PolicyRulesWithSubjects = struct('flowcontrol/v1beta1.PolicyRulesWithSubjects', {
  subjects: always(1, atomicList(Subject)),
  resourceRules: optional(2, atomicList(ResourcePolicyRule)),
  nonResourceRules: optional(3, atomicList(NonResourcePolicyRule)),
});
export interface PolicyRulesWithSubjects extends Static<typeof PolicyRulesWithSubjects> {}

export const FlowSchemaSpec = struct('flowcontrol/v1beta1.FlowSchemaSpec', {
  priorityLevelConfiguration: always(1, PriorityLevelConfigurationReference),
  matchingPrecedence: always(2, int32, { default: 1000 }),
  distinguisherMethod: pointer(3, FlowDistinguisherMethod),
  rules: optional(4, atomicList(PolicyRulesWithSubjects)),
});
export interface FlowSchemaSpec extends Static<typeof FlowSchemaSpec> {}

export const FlowSchemaCondition = struct('flowcontrol/v1beta1.FlowSchemaCondition', {
  type: optional(1, named('v1beta1.FlowSchemaConditionType', string)),
  status: optional(2, named('v1beta1.ConditionStatus', string)),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface FlowSchemaCondition extends Static<typeof FlowSchemaCondition> {}

export const FlowSchemaStatus = struct('flowcontrol/v1beta1.FlowSchemaStatus', {
  conditions: optional(1, listMap(FlowSchemaCondition, ['type'])),
});
export interface FlowSchemaStatus extends Static<typeof FlowSchemaStatus> {}

export const FlowSchema = kind(
  'flowcontrol/v1beta1.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1beta1',
  { plural: 'flowschemas', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, FlowSchemaSpec),
    status: optional(3, FlowSchemaStatus),
  },
  {
    columns: flowSchemaColumns,
  },
);
export interface FlowSchema extends Static<typeof FlowSchema> {}
