import { command, nameFromArguments } from '../../command.ts';
import { create, createFlags, targets } from './create-object.ts';

export const namespace = command({
  use: 'namespace NAME [--dry-run=server|client|none]',
  long: 'Create a namespace.',
  example: `  # A namespace called team
  kubectl create namespace team`,
  disableFlagsInUseLine: true,
  flags: createFlags,
  run: (invocation) =>
    create(invocation, invocation.flags, {
      target: targets.namespace,
      name: nameFromArguments(invocation),
      fields: { spec: {}, status: {} },
    }),
});
