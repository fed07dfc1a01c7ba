import { bool } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import { editLastAppliedConfiguration } from '../../edit/edit-last-applied.ts';
import { fieldManagerFlag, filenameFlags, recordFlag, validateFlag } from '../../flags/object-flags.ts';
import { printFlags } from '../../flags/print.ts';

export const editLastApplied = command({
  use: 'edit-last-applied (RESOURCE/NAME | -f FILENAME)',
  long: 'Edit the last applied configuration in the editor given by KUBE_EDITOR or EDITOR.',
  example: `  # In YAML
  kubectl apply edit-last-applied deployment/web`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...printFlags,
    ...validateFlag,
    ...fieldManagerFlag('kubectl-client-side-apply'),
    ...filenameFlags('that name the objects'),
    ...recordFlag,
    windowsLineEndings: bool({
      usage: 'Use Windows line endings in the editor. Defaults to those of your platform.',
    }),
  },
  run: ({ context, flags, args }) => editLastAppliedConfiguration(context, args, flags),
});
