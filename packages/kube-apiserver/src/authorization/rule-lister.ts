/** Lists the rules of a user's roles. */

/** For SelfSubjectRulesReview and the escalation check. */
export interface RuleLister {
  rulesOf(
    user: { readonly name: string; readonly groups: readonly string[] },
    namespace: string,
  ): { readonly rules: readonly GrantedRule[]; readonly missing: readonly MissingRole[] };
}

/** A missing role to which a binding of the user refers. */
export interface MissingRole {
  readonly resource: 'roles' | 'clusterroles';
  readonly name: string;
}

export interface GrantedRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
