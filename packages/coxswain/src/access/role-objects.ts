/** Turns needs into objects that can be applied: a role and a binding for each user and namespace. */
import type { RoleNeeds } from './minimal-roles.ts';

const group = 'rbac.authorization.k8s.io';

/** @param roleName the name of all roles and bindings; defaults to the user's name followed by `-minimal` */
export const roleObjects = (needs: readonly RoleNeeds[], roleName?: string): readonly object[] =>
  needs.flatMap((each) => objectsOf(each, roleName ?? `${nameOf(each.user)}-minimal`));

function objectsOf({ user, namespace, rules }: RoleNeeds, name: string): readonly object[] {
  const prefix = namespace === '' ? 'Cluster' : '';
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
  const apiVersion = `${group}/v1`;
  return [
    { apiVersion, kind: `${prefix}Role`, metadata, rules },
    {
      apiVersion,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: group, kind: `${prefix}Role`, name },
      subjects: [subjectOf(user)],
    },
  ];
}

function subjectOf(user: string): object {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):(.+)$/.exec(user) ?? [];
  return name === undefined
    ? { apiGroup: group, kind: 'User', name: user }
    : { kind: 'ServiceAccount', namespace, name };
}

/** Role names allow almost any character except slashes and percent signs. */
const nameOf = (user: string): string => user.replace(/[/%]/g, '-');
