/** Needs as objects that can be applied: a role and a binding for each user and namespace. */
import type { RoleNeeds } from './minimal-roles.ts';

const group = 'rbac.authorization.k8s.io';

/** @param roleName of all roles and bindings; by default that of the user and `-minimal` */
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

/** Roles may be called almost anything, but not with a slash or a percent sign. */
const nameOf = (user: string): string => user.replace(/[/%]/g, '-');
