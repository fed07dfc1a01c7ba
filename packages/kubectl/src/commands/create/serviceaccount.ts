import { command, nameFromArguments } from '../../command.ts';
import { create, createFlags, targets } from './create-object.ts';

export const serviceaccount = command({
  use: 'serviceaccount NAME [--dry-run=server|client|none]',
  long: 'Create a service account.',
  example: `  # An account called robot
  kubectl create serviceaccount robot`,
  disableFlagsInUseLine: true,
  flags: createFlags,
  run: (invocation) =>
    create(invocation, invocation.flags, {
      target: targets.serviceAccount,
      name: nameFromArguments(invocation),
      fields: {},
      failure: 'failed to create serviceaccount: ',
    }),
});
