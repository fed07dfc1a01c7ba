import { bool } from '@coxswain/cobra';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import { editObjects } from '../edit/edit-objects.ts';
import { throwFailures } from '../errors.ts';
import { readValidation } from '../flags/dry-run.ts';
import {
  fieldManagerFlag,
  filenameFlags,
  recordFlag,
  saveConfigFlag,
  subresourceFlag,
  validateFlag,
} from '../flags/object-flags.ts';
import { printFlags } from '../flags/print.ts';
import { unknownFormat } from '../printers/choose.ts';
import { select } from '../resource/select.ts';

export const edit = command({
  use: 'edit (RESOURCE/NAME | -f FILENAME)',
  long: `Edit objects in the editor given by KUBE_EDITOR or EDITOR, or in vi.

 If the changes cannot be saved, the editor is opened again with the reasons at the top. Closing it without changes then cancels the edit and leaves a copy of the file.`,
  example: `  # A service
  kubectl edit service/web

  # In JSON, with another editor
  KUBE_EDITOR=nano kubectl edit deployment/web -o json`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...printFlags,
    ...validateFlag,
    ...saveConfigFlag,
    ...fieldManagerFlag('kubectl-edit'),
    ...filenameFlags('that name the objects to edit'),
    ...subresourceFlag,
    ...recordFlag,
    outputPatch: bool({ usage: 'Also print the patch.' }),
    windowsLineEndings: bool({
      usage: 'Use Windows line endings in the editor. Defaults to those of your platform.',
    }),
  },
  async run({ context, flags, args }) {
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      args,
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit,
      subresource: flags.subresource,
      allowEmptySelector: true,
      latest: true,
      continueOnError: true,
    });
    const fieldValidation = readValidation(flags.validate);
    const { infos, failures } = await selected.collect();
    throwFailures(failures);
    requireFormat(flags.output);
    await editObjects(context, infos, {
      ...flags,
      fieldValidation,
      printer: (operation) =>
        context.printer(
          { ...flags, output: formats.includes(flags.output) ? '' : flags.output },
          { operation },
        ),
    });
  },
});

const formats = ['json', 'kyaml', 'yaml'];

/** Checks the format before the editor opens. @throws Error for an unsupported format */
function requireFormat(output: string): void {
  if (output !== '' && !formats.includes(output)) throw unknownFormat(output, formats);
}
