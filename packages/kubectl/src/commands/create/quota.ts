import { string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { readQuantities } from '../../quantities.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';

export const quota = command({
  use: 'quota NAME [--hard=key1=value1,key2=value2] [--scopes=Scope1,Scope2] [--dry-run=server|client|none]',
  aliases: ['resourcequota'],
  long: 'Create a resource quota with hard limits for a namespace.',
  example: `  # At most ten pods and four processors
  kubectl create quota small --hard=pods=10,cpu=4`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    hard: string({ usage: 'Comma-separated RESOURCE=QUANTITY pairs that define the hard limits.' }),
    scopes: string({ usage: 'Comma-separated scopes that the quota applies to.' }),
  },
  async run(invocation) {
    const { flags } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags, name);
    const hard = readQuantities(flags.hard);
    const scopes = flags.scopes === '' ? [] : flags.scopes.split(',');
    if (scopes.includes('')) throw new Error('invalid resource quota scope ""');
    await create({
      target: targets.quota,
      name,
      fields: { spec: filled({ hard, scopes }), status: {} },
      failure: 'failed to create quota: ',
    });
  },
});
