/** The policy's decision on one request: its level and its stages. */
import type { RequestInfo } from '../../request-info.ts';
import type { UserInfo } from '../../user.ts';
import type { AuditLevel, AuditStage } from '../audit-event.ts';
import type { AuditedResources, AuditPolicy, AuditPolicyRule } from './audit-policy.ts';

export interface RequestAudit {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
  /** The place of the rule in the policy, `rules[0]`; undefined if none matched. */
  readonly by?: string;
}

export type EvaluatePolicy = (info: RequestInfo, user: UserInfo) => RequestAudit;

export function policyEvaluator(policy: AuditPolicy): EvaluatePolicy {
  const omitManagedFields = policy.omitManagedFields ?? false;
  const omitted = (stages: readonly string[] = []) =>
    new Set([...(policy.omitStages ?? []), ...stages]) as ReadonlySet<AuditStage>;
  const rules = (policy.rules ?? []).map((rule, index) => ({
    rule,
    outcome: {
      level: rule.level as AuditLevel,
      omitStages: omitted(rule.omitStages),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
      by: `rules[${index}]`,
    },
  }));
  const otherwise: RequestAudit = { level: 'None', omitStages: omitted(), omitManagedFields };
  return (info, user) => {
    for (const { rule, outcome } of rules) if (ruleMatches(rule, info, user)) return outcome;
    return otherwise;
  };
}

const noResources: readonly AuditedResources[] = [];

const has = (list: readonly string[] | null | undefined): list is readonly string[] =>
  list !== undefined && list !== null && list.length > 0;

function ruleMatches(rule: AuditPolicyRule, info: RequestInfo, user: UserInfo): boolean {
  if (has(rule.users) && !rule.users.includes(user.name)) return false;
  if (has(rule.userGroups) && !user.groups.some((group) => rule.userGroups!.includes(group))) return false;
  if (has(rule.verbs) && !rule.verbs.includes(info.verb)) return false;
  const resources = rule.resources ?? noResources;
  if (has(rule.namespaces) || resources.length > 0) return matchesResource(rule, resources, info);
  if (has(rule.nonResourceURLs)) return matchesPath(rule.nonResourceURLs, info);
  return true;
}

function matchesPath(urls: readonly string[], { isResourceRequest, path }: RequestInfo): boolean {
  if (isResourceRequest) return false;
  return urls.some(
    (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))),
  );
}

/** Cluster-scoped resources have an empty namespace. */
function matchesResource(
  { namespaces }: AuditPolicyRule,
  resources: readonly AuditedResources[],
  info: RequestInfo,
): boolean {
  if (!info.isResourceRequest) return false;
  if (has(namespaces) && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some((one) => matchesOne(one, info));
}

function matchesOne(
  { group = '', resources, resourceNames }: AuditedResources,
  { group: asked, resource, subresource, name }: RequestInfo,
): boolean {
  if (group !== asked && group !== '*') return false;
  if (!has(resources)) return true;
  if (has(resourceNames) && !resourceNames.includes(name)) return false;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (one) =>
      one === '*' ||
      one === combined ||
      (subresource !== '' && one === `*/${subresource}`) ||
      one === `${resource}/*`,
  );
}
