/** ABAC: a request is allowed if a line of the policy file allows it. */
import { allowed } from '@coxswain/apiserver/authorization/authorizer.ts';
import type { Authorizer, AuthorizationAttributes, UserInfo } from '@coxswain/apiserver';
import type { AbacPolicy } from './abac-policies.ts';

export const abacAuthorizer = (policies: readonly AbacPolicy[]): Authorizer => ({
  name: 'ABAC',
  decide: (attributes) =>
    policies.some((policy) => allows(policy, attributes))
      ? allowed
      : { kind: 'no-opinion', reason: 'No policy matched.' },
});

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

const allows = (policy: AbacPolicy, attributes: AuthorizationAttributes): boolean =>
  isMeant(policy, attributes.user) &&
  (!policy.readonly || readingVerbs.has(attributes.verb)) &&
  (attributes.isResourceRequest ? coversResource(policy, attributes) : coversPath(policy, attributes.path));

/** A policy without user and group matches nobody. */
export function isMeant({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user !== '' && user !== '*' && user !== name) return false;
  if (group !== '' && group !== '*' && !groups.includes(group)) return false;
  return user !== '' || group !== '';
}

const coversResource = (
  { namespace, resource, apiGroup }: AbacPolicy,
  attributes: AuthorizationAttributes,
): boolean =>
  (namespace === '*' || namespace === attributes.namespace) &&
  (resource === '*' || resource === attributes.resource) &&
  (apiGroup === '*' || apiGroup === attributes.group);

const coversPath = ({ nonResourcePath: covered }: AbacPolicy, path: string): boolean =>
  covered === '*' ||
  covered === path ||
  (covered.endsWith('*') && path.startsWith(covered.replace(/\*+$/, '')));
