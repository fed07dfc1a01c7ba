/** The subjects of a binding. */
import { stringArray } from '@coxswain/cobra';

export const rbacGroup = 'rbac.authorization.k8s.io';

export const subjectFlags = {
  user: stringArray({ usage: 'A user name. Can be repeated.' }),
  group: stringArray({ usage: 'A group. Can be repeated.' }),
  serviceaccount: stringArray({ usage: 'A service account, as NAMESPACE:NAME. Can be repeated.' }),
};

interface Subjects {
  readonly user: readonly string[];
  readonly group: readonly string[];
  readonly serviceaccount: readonly string[];
}

export const subjectsOf = ({ user, group, serviceaccount }: Subjects): Record<string, string>[] => [
  ...user.map((name) => ({ kind: 'User', apiGroup: rbacGroup, name })),
  ...group.map((name) => ({ kind: 'Group', apiGroup: rbacGroup, name })),
  ...serviceaccount.map((text) => {
    const [namespace, name, ...more] = text.split(':');
    if (!namespace || !name || more.length > 0) throw new Error('serviceaccount must be <namespace>:<name>');
    return { kind: 'ServiceAccount', name, namespace };
  }),
];

export const roleRef = (kind: 'Role' | 'ClusterRole', name: string) => ({ apiGroup: rbacGroup, kind, name });
