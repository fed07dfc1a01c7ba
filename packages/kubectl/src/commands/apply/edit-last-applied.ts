import { bool } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import { editLastAppliedConfiguration } from '../../edit/edit-last-applied.ts';
import { fieldManagerFlag, filenameFlags, recordFlag, validateFlag } from '../../flags/shared.ts';
import { printFlags } from '../../flags/print.ts';

export const editLastApplied = command({
  use: 'edit-last-applied (RESOURCE/NAME | -f FILENAME)',
  long: 'Edit the configuration that was applied last, in the editor of KUBE_EDITOR or EDITOR.',
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
    windowsLineEndings: bool({ usage: 'End lines as Windows does.' }),
  },
  run: ({ context, flags, args }) => editLastAppliedConfiguration(context, args, flags),
});
