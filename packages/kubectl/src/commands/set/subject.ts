import type * as rbac from '@coxswain/api/rbac/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';
import { stringArray } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { sameJson } from '../../same-json.ts';
import type { Info } from '../../resource/info.ts';
import { changeObjects, setSelectorFlags } from './change-objects.ts';

type Subject = Live<rbac.Subject>;

type Binding = Live<rbac.RoleBinding>;

const apiGroup = 'rbac.authorization.k8s.io';

export const subject = command({
  use: 'subject (-f FILENAME | TYPE NAME) [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none]',
  long: 'Add users, groups and service accounts to a role binding or a cluster role binding.',
  example: `  # A service account
  kubectl set subject clusterrolebinding admins --serviceaccount=default:robot

  # Two users
  kubectl set subject rolebinding editors --user=ann --user=bea`,
  disableFlagsInUseLine: true,
  flags: {
    ...setSelectorFlags,
    group: stringArray({ usage: 'A group. Can be repeated.' }),
    serviceaccount: stringArray({
      usage: 'A service account, as NAMESPACE:NAME. Can be repeated.',
    }),
    user: stringArray({ usage: 'A user name. Can be repeated.' }),
  },
  async run({ context, args, flags }) {
    const { namespace } = flags.local ? { namespace: '' } : await context.namespace();
    const added = (): Subject[] => [
      ...sortedOnce(flags.user).map((name) => ({ kind: 'User', apiGroup, name })),
      ...sortedOnce(flags.group).map((name) => ({ kind: 'Group', apiGroup, name })),
      ...sortedOnce(flags.serviceaccount).map((account) => serviceAccount(account, namespace)),
    ];
    await changeObjects(context, flags, args, {
      operation: 'subjects updated',
      failure: 'failed to patch subjects to rolebinding: ',
      refusesLocalNames: true,
      check: (infos) => subjectProblems(flags, infos),
      change(object) {
        if (object.kind !== 'RoleBinding' && object.kind !== 'ClusterRoleBinding')
          throw new Error('setting subjects is only supported for RoleBinding/ClusterRoleBinding');
        const { subjects = [] } = object as Binding;
        const missing = added().filter((one) => !subjects.some((there) => sameJson(there, one)));
        return missing.length === 0
          ? object
          : ({ ...object, subjects: [...subjects, ...missing] } as KubeObject);
      },
    });
  },
});

const sortedOnce = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** Returns the first problem of the subjects. */
function subjectProblems(
  { user, group, serviceaccount }: Readonly<Record<'user' | 'group' | 'serviceaccount', readonly string[]>>,
  infos: readonly Info[],
): readonly Error[] {
  if (user.length + group.length + serviceaccount.length === 0)
    return [new Error('you must specify at least one value of user, group or serviceaccount')];
  const isForCluster = infos.some(({ object }) => object?.kind === 'ClusterRoleBinding');
  for (const account of serviceaccount) {
    const words = account.split(':');
    if (words.length !== 2 || words[1] === '')
      return [new Error('serviceaccount must be <namespace>:<name>')];
    if (isForCluster && words[0] === '')
      return [new Error('serviceaccount must be <namespace>:<name>, namespace must be specified')];
  }
  return [];
}

/** The namespace defaults to that of the command line. */
function serviceAccount(account: string, namespace: string): Subject {
  const [own = '', name = ''] = account.split(':');
  return { kind: 'ServiceAccount', name, namespace: own || namespace };
}
