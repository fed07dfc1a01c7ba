import { string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';
import { roleRef, subjectFlags, subjectsOf } from './subjects.ts';

export const rolebinding = command({
  use: 'rolebinding NAME --clusterrole=NAME|--role=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none]',
  long: 'Grant a role, or a cluster role within one namespace, to users, groups and service accounts.',
  example: `  # Let two users and a group read
  kubectl create rolebinding readers --role=reader --user=ann --user=bea --group=team`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    clusterrole: string({ usage: 'The cluster role that this binding refers to.' }),
    role: string({ usage: 'The role that this binding refers to.' }),
    ...subjectFlags,
  },
  async run(invocation) {
    const { flags } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags, name);
    if ((flags.role === '') === (flags.clusterrole === '')) {
      throw new Error('exactly one of clusterrole or role must be specified');
    }
    const reference =
      flags.role === '' ? roleRef('ClusterRole', flags.clusterrole) : roleRef('Role', flags.role);
    await create({
      target: targets.roleBinding,
      name,
      fields: { ...filled({ subjects: subjectsOf(flags) }), roleRef: reference },
      failure: 'failed to create rolebinding: ',
    });
  },
});
