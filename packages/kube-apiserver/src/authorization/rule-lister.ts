/** What a user may do by roles. */

/** For SelfSubjectRulesReview and the check against escalation. */
export interface RuleLister {
  rulesOf(
    user: { readonly name: string; readonly groups: readonly string[] },
    namespace: string,
  ): { readonly rules: readonly GrantedRule[]; readonly missing: readonly MissingRole[] };
}

/** A role that a binding of the user leads to and that isn't there. */
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
