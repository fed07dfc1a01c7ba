/**
 * The audit policy (`audit.k8s.io/v1` Policy): which requests are audited, and at which level. The first matching rule
 * decides.
 */
import { bool, list, optional, pointer, string, struct, type Static } from '@coxswain/schema/type.ts';

const GroupResources = struct('audit/v1.GroupResources', {
  group: optional(1, string),
  resources: optional(2, list(string)),
  resourceNames: optional(3, list(string)),
});

const PolicyRule = struct('audit/v1.PolicyRule', {
  level: optional(1, string),
  users: optional(2, list(string)),
  userGroups: optional(3, list(string)),
  verbs: optional(4, list(string)),
  resources: optional(5, list(GroupResources)),
  namespaces: optional(6, list(string)),
  nonResourceURLs: optional(7, list(string)),
  omitStages: optional(8, list(string)),
  omitManagedFields: pointer(9, bool),
});

export const AuditPolicy = struct('audit/v1.Policy', {
  kind: optional(0, string),
  apiVersion: optional(0, string),
  metadata: optional(1, struct('audit/v1.PolicyMetadata', { name: optional(1, string) })),
  rules: optional(2, list(PolicyRule)),
  omitStages: optional(3, list(string)),
  omitManagedFields: optional(4, bool),
});

export type AuditPolicy = Static<typeof AuditPolicy>;
export type AuditPolicyRule = Static<typeof PolicyRule>;
export type AuditedResources = Static<typeof GroupResources>;
