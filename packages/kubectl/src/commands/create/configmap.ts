import { bool, stringArray, stringSlice } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { contentHash } from './content-hash.ts';
import { readKeys, toBase64, type KeyRules } from './key-files.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';

export const keySourceFlags = {
  fromFile: stringSlice({
    usage:
      'A file, or a directory of files, to take values from. The key is the file name, unless given as KEY=FILE.',
  }),
  fromLiteral: stringArray({ usage: 'A key and literal value, as KEY=VALUE.' }),
  fromEnvFile: stringSlice({ usage: 'A file with lines of KEY=VALUE pairs.' }),
  appendHash: bool({ usage: 'Append a hash of the content to the name of the object.' }),
};

export const configmap = command({
  use: 'configmap NAME [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none]',
  long: 'Create a config map from files, directories and literal values.',
  example: `  # One key per file of a directory
  kubectl create configmap settings --from-file=path/to/settings

  # From pairs
  kubectl create configmap settings --from-literal=mode=fast --from-literal=size=3`,
  disableFlagsInUseLine: true,
  flags: { ...createFlags, ...keySourceFlags },
  async run(invocation) {
    const { flags, context } = invocation;
    const plainName = nameFromArguments(invocation);
    const create = await creating(invocation, flags, plainName);
    const { text, binary } = readKeys(flags, keyRules(plainName), context.io);
    const data = Object.fromEntries([...text].sort(byKey));
    const binaryData = Object.fromEntries(
      [...binary].sort(byKey).map(([key, bytes]) => [key, toBase64(bytes)]),
    );
    const content = { kind: 'ConfigMap', name: plainName, data, ...filled({ binaryData }) };
    await create({
      target: targets.configMap,
      name: flags.appendHash ? `${plainName}-${contentHash(content)}` : plainName,
      fields: filled({ data, binaryData }),
      failure: 'failed to create configmap: ',
    });
  },
});

export const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

const keyRules = (name: string): KeyRules => ({
  invalid: (key, reasons) => `"${key}" is not a valid key name for a ConfigMap: ${reasons.join(',')}`,
  taken: (key, where) =>
    `cannot add key "${key}", another key by that name already exists in ${where} for ConfigMap "${name}"`,
  directoryAsEnvFile: 'env config file cannot be a directory',
});
