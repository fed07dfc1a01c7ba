import {
  always,
  atomicList,
  bool,
  int32,
  listMap,
  listSet,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { FlowDistinguisherMethod } from './flow-distinguisher-method.ts';

export const PriorityLevelConfigurationReference = struct(
  'flowcontrol/v1.PriorityLevelConfigurationReference',
  {
    name: always(1, string, { required: true }),
  },
);
export interface PriorityLevelConfigurationReference extends Static<
  typeof PriorityLevelConfigurationReference
> {}

export const UserSubject = struct('flowcontrol/v1.UserSubject', {
  name: always(1, string, { required: true }),
});
export interface UserSubject extends Static<typeof UserSubject> {}

export const GroupSubject = struct('flowcontrol/v1.GroupSubject', {
  name: always(1, string, { required: true }),
});
export interface GroupSubject extends Static<typeof GroupSubject> {}

export const ServiceAccountSubject = struct('flowcontrol/v1.ServiceAccountSubject', {
  namespace: always(1, string, { required: true }),
  name: always(2, string, { required: true }),
});
export interface ServiceAccountSubject extends Static<typeof ServiceAccountSubject> {}

export const Subject = struct(
  'flowcontrol/v1.Subject',
  {
    kind: always(1, named('v1.SubjectKind', string), { required: true }),
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

export const ResourcePolicyRule = struct('flowcontrol/v1.ResourcePolicyRule', {
  verbs: always(1, listSet(string), { required: true }),
  apiGroups: always(2, listSet(string), { required: true, go: 'APIGroups' }),
  resources: always(3, listSet(string), { required: true }),
  clusterScope: optional(4, bool),
  namespaces: always(5, listSet(string)),
});
export interface ResourcePolicyRule extends Static<typeof ResourcePolicyRule> {}

export const NonResourcePolicyRule = struct('flowcontrol/v1.NonResourcePolicyRule', {
  verbs: always(1, listSet(string), { required: true }),
  nonResourceURLs: always(6, listSet(string), { required: true }),
});
export interface NonResourcePolicyRule extends Static<typeof NonResourcePolicyRule> {}

export const PolicyRulesWithSubjects = struct('flowcontrol/v1.PolicyRulesWithSubjects', {
  subjects: always(1, atomicList(Subject), { required: true }),
  resourceRules: optional(2, atomicList(ResourcePolicyRule)),
  nonResourceRules: optional(3, atomicList(NonResourcePolicyRule)),
});
export interface PolicyRulesWithSubjects extends Static<typeof PolicyRulesWithSubjects> {}

export const FlowSchemaSpec = struct('flowcontrol/v1.FlowSchemaSpec', {
  priorityLevelConfiguration: always(1, PriorityLevelConfigurationReference, { required: true }),
  matchingPrecedence: always(2, int32, { default: 1000 }),
  distinguisherMethod: pointer(3, FlowDistinguisherMethod),
  rules: optional(4, atomicList(PolicyRulesWithSubjects)),
});
export interface FlowSchemaSpec extends Static<typeof FlowSchemaSpec> {}

export const FlowSchemaCondition = struct('flowcontrol/v1.FlowSchemaCondition', {
  type: optional(1, named('v1.FlowSchemaConditionType', string)),
  status: optional(2, named('v1.ConditionStatus', string)),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface FlowSchemaCondition extends Static<typeof FlowSchemaCondition> {}

export const FlowSchemaStatus = struct('flowcontrol/v1.FlowSchemaStatus', {
  conditions: optional(1, listMap(FlowSchemaCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface FlowSchemaStatus extends Static<typeof FlowSchemaStatus> {}
