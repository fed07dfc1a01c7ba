import { command } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import { recordFlag } from '../../flags/object-flags.ts';
import { withPodSpec } from './pod-specs.ts';
import { changeObjects, localOnServer, setFlags } from './change-objects.ts';

export const serviceaccount = command({
  use: 'serviceaccount (-f FILENAME | TYPE NAME) SERVICE_ACCOUNT',
  aliases: ['sa'],
  long: 'Set the service account in pod templates.',
  example: `  # As robot
  kubectl set serviceaccount deployment web robot`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: { ...setFlags, ...recordFlag },
  async run({ context, args, flags }) {
    if (flags.local && flags.dryRun === 'server') throw new Error(localOnServer);
    const account = args.at(-1);
    if (account === undefined) throw new Error('serviceaccount is required');
    await changeObjects(context, flags, args.slice(0, -1), {
      operation: 'serviceaccount updated',
      failure: 'failed to patch ServiceAccountName ',
      writesUnchanged: true,
      change: (object) => withPodSpec(object, (spec) => ({ ...spec, serviceAccountName: account })),
    });
  },
});
