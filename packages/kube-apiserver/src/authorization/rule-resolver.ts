/** Collects a user's rules from all authorizers for SelfSubjectRulesReview, as far as they can list them. */
import type { GrantedRule, MissingRole, RuleLister } from './rule-lister.ts';
import { notFound } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { isMeant } from './abac-authorizer.ts';
import type { AbacPolicy } from './abac-policies.ts';
import type { AuthorizationMode } from './configured-authorizer.ts';
import { nodeNameOf } from './node/node-identity.ts';

export interface ResolvedRules {
  readonly rules: readonly GrantedRule[];
  /** Whether an authorizer may allow more than it lists. */
  readonly isIncomplete: boolean;
  readonly problems: readonly string[];
}

export type ResolveRules = (user: UserInfo, namespace: string) => ResolvedRules;

const nothing: ResolvedRules = { rules: [], isIncomplete: false, problems: [] };
const unreported = (authorizer: string): ResolvedRules => ({
  rules: [],
  isIncomplete: true,
  problems: [`${authorizer} authorizer does not support user rule resolution`],
});

const everything: ResolvedRules = {
  ...nothing,
  rules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
};

export function ruleResolver(
  modes: () => readonly AuthorizationMode[],
  rbac: RuleLister,
  policies: readonly AbacPolicy[],
): ResolveRules {
  const byMode: Readonly<Record<AuthorizationMode, ResolveRules>> = {
    AlwaysAllow: () => everything,
    AlwaysDeny: () => nothing,
    Webhook: () => unreported('webhook'),
    Node: (user) => (nodeNameOf(user) === undefined ? nothing : unreported('node')),
    ABAC: (user, namespace) => ({ ...nothing, rules: abacRules(policies, user, namespace) }),
    RBAC: (user, namespace) => {
      const { rules, missing } = rbac.rulesOf(user, namespace);
      return { ...nothing, rules, problems: missing.map(missingText) };
    },
  };
  return (user, namespace) => {
    const reported = modes().map((mode) => byMode[mode](user, namespace));
    return {
      rules: reported.flatMap(({ rules }) => rules),
      isIncomplete: reported.some(({ isIncomplete }) => isIncomplete),
      problems: reported.flatMap(({ problems }) => problems),
    };
  };
}

const missingText = ({ resource, name }: MissingRole): string =>
  notFound({ group: 'rbac.authorization.k8s.io', resource: resource.slice(0, -1) }, name).message;

const abacRules = (policies: readonly AbacPolicy[], user: UserInfo, namespace: string): GrantedRule[] =>
  policies
    .filter((policy) => isMeant(policy, user) && ['*', namespace].includes(policy.namespace))
    .flatMap(({ readonly, apiGroup, resource, nonResourcePath }) => {
      const verbs = readonly ? ['get', 'list', 'watch'] : ['*'];
      return [
        ...(resource === '' ? [] : [{ verbs, apiGroups: [apiGroup], resources: [resource] }]),
        ...(nonResourcePath === '' ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }]),
      ];
    });
