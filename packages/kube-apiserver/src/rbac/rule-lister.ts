/** Lists a user's rules in a namespace, as they are in the roles. */
import type { BindingObject, RoleObject, Subject } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { RuleLister, MissingRole, GrantedRule } from '../authorization/rule-lister.ts';

const group = 'rbac.authorization.k8s.io';

interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Requires filled caches, which the policy follower ensures. */
export const ruleLister = (objects: ObjectReader): RuleLister => ({
  rulesOf(user, namespace) {
    const missing: MissingRole[] = [];
    const bindings = [
      ...listed<BindingObject>(objects, 'clusterrolebindings', ''),
      ...(namespace === '' ? [] : listed<BindingObject>(objects, 'rolebindings', namespace)),
    ];
    const rules = bindings
      .filter((binding) => (binding.subjects ?? []).some((subject) => isMeant(subject, user, binding)))
      .flatMap((binding) => rulesBehind(objects, binding, missing));
    return { rules, missing };
  },
});

function rulesBehind(
  objects: ObjectReader,
  { roleRef, metadata }: BindingObject,
  missing: MissingRole[],
): GrantedRule[] {
  const isCluster = roleRef.kind === 'ClusterRole';
  const resource = isCluster ? 'clusterroles' : 'roles';
  const role = objects.get<RoleObject>(
    { group, resource },
    isCluster ? '' : (metadata.namespace ?? ''),
    roleRef.name,
  );
  if (role === undefined || role instanceof Promise) {
    missing.push({ resource, name: roleRef.name });
    return [];
  }
  return [...(role.rules ?? [])];
}

function listed<T>(objects: ObjectReader, resource: string, namespace: string): readonly T[] {
  const found = objects.list<T>({ group, resource }, namespace);
  return found instanceof Promise ? [] : found;
}

function isMeant({ kind, name, namespace }: Subject, user: User, { metadata }: BindingObject): boolean {
  switch (kind) {
    case 'User':
      return user.name === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount':
      return user.name === `system:serviceaccount:${namespace ?? metadata.namespace ?? ''}:${name}`;
    default:
      return false;
  }
}
