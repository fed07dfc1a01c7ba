/** RBAC: a request is allowed if a role that is bound to the user or one of its groups has a matching rule. */
import { aggregateText } from '@coxswain/apimachinery/field-error.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorizer.ts';
import type { Grant, RuleResolver } from './rule-resolver.ts';

export const rbacAuthorizer = (rules: RuleResolver): Authorizer => ({
  name: 'RBAC',
  decide(attributes): Decision {
    const grants = rules.grantsOf(attributes.user);
    const grant =
      granting(grants.cluster, attributes) ??
      (attributes.namespace === ''
        ? undefined
        : granting(grants.byNamespace(attributes.namespace), attributes));
    if (grant !== undefined) return allowed(grant);
    const problems = grants.problems(attributes.namespace);
    return { kind: 'no-opinion', reason: problems.length === 0 ? '' : `RBAC: ${aggregateText(problems)}` };
  },
});

function granting(grants: readonly Grant[], attributes: AuthorizationAttributes): Grant | undefined {
  for (const grant of grants) {
    for (const rule of grant.rules) if (rule(attributes)) return grant;
  }
  return undefined;
}

const decisions = new WeakMap<Grant, Decision>();

/** One decision value per grant: most requests are allowed by few grants. */
function allowed(grant: Grant): Decision {
  let decision = decisions.get(grant);
  if (decision === undefined) {
    decision = { kind: 'allow', reason: `RBAC: allowed by ${grant.describe()}` };
    decisions.set(grant, decision);
  }
  return decision;
}
