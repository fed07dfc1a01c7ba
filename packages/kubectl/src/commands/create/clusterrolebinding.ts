import { string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';
import { roleRef, subjectFlags, subjectsOf } from './subjects.ts';

export const clusterrolebinding = command({
  use: 'clusterrolebinding NAME --clusterrole=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none]',
  long: 'Grant a cluster role, cluster-wide, to users, groups and service accounts.',
  example: `  # Make a group administrators
  kubectl create clusterrolebinding admins --clusterrole=cluster-admin --group=admins`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    clusterrole: string({ usage: 'The cluster role that this binding refers to.', required: true }),
    ...subjectFlags,
  },
  async run(invocation) {
    const { flags } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags);
    await create({
      target: targets.clusterRoleBinding,
      name,
      fields: {
        ...filled({ subjects: subjectsOf(flags) }),
        roleRef: roleRef('ClusterRole', flags.clusterrole),
      },
      failure: 'failed to create clusterrolebinding: ',
    });
  },
});
