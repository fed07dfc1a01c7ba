/** What a policy says of one request: how much is told of it, and at which stages. */
import type { AuthorizationAttributes } from '../../authorization/authorizer.ts';
import type { AuditLevel, AuditStage } from '../audit-event.ts';
import type { AuditedResources, AuditPolicy, AuditPolicyRule } from './audit-policy.ts';

export interface RequestAudit {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

export type EvaluatePolicy = (attributes: AuthorizationAttributes) => RequestAudit;

export function policyEvaluator(policy: AuditPolicy): EvaluatePolicy {
  const omitManagedFields = policy.omitManagedFields ?? false;
  const omitted = (stages: readonly string[] = []) =>
    new Set([...(policy.omitStages ?? []), ...stages]) as ReadonlySet<AuditStage>;
  const rules = (policy.rules ?? []).map((rule) => ({
    rule,
    outcome: {
      level: rule.level as AuditLevel,
      omitStages: omitted(rule.omitStages),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  const otherwise: RequestAudit = { level: 'None', omitStages: omitted(), omitManagedFields };
  return (attributes) => {
    for (const { rule, outcome } of rules) if (ruleMatches(rule, attributes)) return outcome;
    return otherwise;
  };
}

const has = (list: readonly string[] | null | undefined): list is readonly string[] =>
  list !== undefined && list !== null && list.length > 0;

function ruleMatches(rule: AuditPolicyRule, attributes: AuthorizationAttributes): boolean {
  const { user, verb } = attributes;
  if (has(rule.users) && !rule.users.includes(user.name)) return false;
  if (has(rule.userGroups) && !user.groups.some((group) => rule.userGroups!.includes(group))) return false;
  if (has(rule.verbs) && !rule.verbs.includes(verb)) return false;
  const resources = rule.resources ?? [];
  if (has(rule.namespaces) || resources.length > 0) return matchesResource(rule, resources, attributes);
  if (has(rule.nonResourceURLs)) return matchesPath(rule.nonResourceURLs, attributes);
  return true;
}

function matchesPath(urls: readonly string[], { isResourceRequest, path }: AuthorizationAttributes): boolean {
  if (isResourceRequest) return false;
  return urls.some(
    (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))),
  );
}

/** What lies in no namespace has an empty one. */
function matchesResource(
  { namespaces }: AuditPolicyRule,
  resources: readonly AuditedResources[],
  attributes: AuthorizationAttributes,
): boolean {
  if (!attributes.isResourceRequest) return false;
  if (has(namespaces) && !namespaces.includes(attributes.namespace)) return false;
  return resources.length === 0 || resources.some((one) => matchesOne(one, attributes));
}

function matchesOne(
  { group = '', resources, resourceNames }: AuditedResources,
  { group: asked, resource, subresource, name }: AuthorizationAttributes,
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
