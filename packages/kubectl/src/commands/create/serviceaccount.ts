import { command, nameFromArguments } from '../../command.ts';
import { createFlags, creating, targets } from './create-object.ts';

export const serviceaccount = command({
  use: 'serviceaccount NAME [--dry-run=server|client|none]',
  long: 'Create a service account.',
  example: `  # An account called robot
  kubectl create serviceaccount robot`,
  disableFlagsInUseLine: true,
  flags: createFlags,
  async run(invocation) {
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, invocation.flags, name);
    await create({
      target: targets.serviceAccount,
      name,
      fields: {},
      failure: 'failed to create serviceaccount: ',
    });
  },
});
