import { string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { keySourceFlags } from './configmap.ts';
import { readKeys } from './key-files.ts';
import { createSecret, secretData, secretKeyRules } from './secret-data.ts';
import { createFlags, creating } from './create-object.ts';

export const secretGeneric = command({
  use: 'generic NAME [--type=string] [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none]',
  long: 'Create a secret from files, directories and literal values.',
  example: `  # A password
  kubectl create secret generic database --from-literal=password=hunter2

  # Key files under names of their own
  kubectl create secret generic ssh --from-file=private=id_ed25519 --from-file=public=id_ed25519.pub`,
  disableFlagsInUseLine: true,
  flags: { ...createFlags, ...keySourceFlags, type: string({ usage: 'The type of the Secret.' }) },
  async run(invocation) {
    const { flags, context } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags, name);
    const keys = readKeys(flags, secretKeyRules, context.io);
    await createSecret(create, { name, appendHash: flags.appendHash }, flags.type, secretData(keys));
  },
});
