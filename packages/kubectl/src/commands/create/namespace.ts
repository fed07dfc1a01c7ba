import { command, nameFromArguments } from '../../command.ts';
import { createFlags, creating, targets } from './create-object.ts';

export const namespace = command({
  use: 'namespace NAME [--dry-run=server|client|none]',
  long: 'Create a namespace.',
  example: `  # A namespace called team
  kubectl create namespace team`,
  disableFlagsInUseLine: true,
  flags: createFlags,
  async run(invocation) {
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, invocation.flags, name);
    await create({ target: targets.namespace, name, fields: { spec: {}, status: {} } });
  },
});
