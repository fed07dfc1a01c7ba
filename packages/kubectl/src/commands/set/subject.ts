import { placeOf, SetFailure } from './pod-specs.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { stringArray } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { sameJson } from '../../same-json.ts';
import { changeObjects, setSelectorFlags } from './shared.ts';

interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Binding extends KubeObject {
  readonly subjects?: readonly Subject[];
}

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
    group: stringArray({ usage: 'A group; may be given several times.' }),
    serviceaccount: stringArray({
      usage: 'A service account, as NAMESPACE:NAME; may be given several times.',
    }),
    user: stringArray({ usage: 'A user; may be given several times.' }),
  },
  async run({ context, args, flags }) {
    const added: Subject[] = [
      ...flags.user.map((name) => ({ kind: 'User', apiGroup, name })),
      ...flags.group.map((name) => ({ kind: 'Group', apiGroup, name })),
      ...flags.serviceaccount.map(readServiceAccount),
    ];
    if (added.length === 0)
      throw new Error('you must specify at least one value of user, group or serviceaccount');
    await changeObjects(context, flags, args, {
      operation: 'subjects updated',
      failure: 'failed to patch subjects to rolebinding: ',
      refusesLocalNames: true,
      change(object, info) {
        if (object.kind !== 'RoleBinding' && object.kind !== 'ClusterRoleBinding') {
          throw new SetFailure(
            `${placeOf(info)} setting subjects is only supported for RoleBinding/ClusterRoleBinding`,
          );
        }
        const { subjects = [] } = object as Binding;
        const missing = added.filter((one) => !subjects.some((there) => sameJson(there, one)));
        return missing.length === 0
          ? object
          : ({ ...object, subjects: [...subjects, ...missing] } as KubeObject);
      },
    });
  },
});

function readServiceAccount(text: string): Subject {
  const [namespace = '', name = '', ...more] = text.split(':');
  if (namespace === '' || name === '' || more.length > 0)
    throw new Error('serviceaccount must be <namespace>:<name>');
  return { kind: 'ServiceAccount', name, namespace };
}
