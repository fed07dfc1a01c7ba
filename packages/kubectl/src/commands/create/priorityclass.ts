import { bool, int32, string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';

export const priorityclass = command({
  use: 'priorityclass NAME --value=VALUE --global-default=BOOL [--dry-run=server|client|none]',
  aliases: ['pc'],
  long: 'Create a priority class for pods.',
  example: `  # Pods that come first
  kubectl create priorityclass urgent --value=1000 --description="comes first"`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    value: int32({ usage: 'The value of this priority class. Higher values take precedence.' }),
    globalDefault: bool({ usage: 'Make this class the default for pods without a priority class.' }),
    description: string({ usage: 'A description of when to use this class.' }),
    preemptionPolicy: string({
      usage: 'Whether pods of this class may preempt others: PreemptLowerPriority or Never.',
      default: 'PreemptLowerPriority',
    }),
  },
  async run(invocation) {
    const { value, globalDefault, description, preemptionPolicy } = invocation.flags;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, invocation.flags);
    await create({
      target: targets.priorityClass,
      name,
      fields: { value, ...filled({ globalDefault, description, preemptionPolicy }) },
      failure: 'failed to create priorityclass: ',
    });
  },
});
