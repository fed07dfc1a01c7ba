/** What each role grants on a resource, verb by verb. */

import type { RoleObject } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import { compileRule } from '@coxswain/apiserver/authorization/rbac/rule.ts';
import {
  attributesOf,
  type AccessQuestion,
} from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import {
  isInForce,
  roleOf,
  type PolicyObjects,
} from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';

/** `some`: only for objects that the role names. */
export type Grant = 'all' | 'some' | 'none';

export interface RoleRow {
  readonly role: RoleObject;
  /** In the order of the verbs. */
  readonly grants: readonly Grant[];
  /** The number of bindings of the role that apply in the namespace of the question. */
  readonly bindings: number;
}

export const usualVerbs: readonly string[] = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
];

/** The columns: the usual verbs, and the one in question. */
export const verbsFor = ({ verb, path }: AccessQuestion): readonly string[] =>
  path !== '' ? [verb] : usualVerbs.includes(verb) || verb === '*' ? usualVerbs : [...usualVerbs, verb];

/** Roles that grant any of the verbs: bound ones before unbound ones, then by name. */
export function rolesMatrix(question: AccessQuestion, policy: PolicyObjects): readonly RoleRow[] {
  const verbs = verbsFor(question);
  const inForce = policy.bindings.filter((binding) => isInForce(binding, question.namespace));
  return policy.roles
    .filter(({ metadata }) => !metadata.namespace || metadata.namespace === question.namespace)
    .map((role) => ({
      role,
      grants: verbs.map((verb) => grantOf(role, { ...question, verb })),
      bindings: inForce.filter((binding) => roleOf(policy, binding) === role).length,
    }))
    .filter(({ grants }) => grants.some((grant) => grant !== 'none'))
    .toSorted(
      (one, other) =>
        Number(other.bindings > 0) - Number(one.bindings > 0) ||
        (one.role.metadata.name ?? '').localeCompare(other.role.metadata.name ?? ''),
    );
}

function grantOf({ rules }: RoleObject, question: AccessQuestion): Grant {
  const attributes = attributesOf(question, { name: '', groups: [] });
  if ((rules ?? []).some((rule) => compileRule(rule)(attributes))) return 'all';
  const forAnyName = (rules ?? []).some((rule) => compileRule({ ...rule, resourceNames: [] })(attributes));
  return forAnyName ? 'some' : 'none';
}
