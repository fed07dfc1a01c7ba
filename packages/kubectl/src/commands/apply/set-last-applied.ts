import { bool } from '@coxswain/cobra';
import type { KubeObject } from '@coxswain/apimachinery';
import { configurationText, lastApplied, lastAppliedAnnotation } from '../../apply/last-applied.ts';
import { command } from '../../command.ts';
import { printFlags } from '../../flags/print.ts';
import { readDryRun } from '../../flags/dry-run.ts';
import { dryRunFlag, filenameFlags } from '../../flags/object-flags.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { mappingOf, objectOf, refreshed, type Info } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';
import { toJson } from '../../encoding/json.ts';

const { filename } = filenameFlags('that hold the configurations');

export const setLastApplied = command({
  use: 'set-last-applied -f FILENAME',
  long: 'Set the last applied configuration to the contents of files, without changing anything else.',
  example: `  # As if the file had been applied
  kubectl apply set-last-applied -f web.yaml`,
  disableFlagsInUseLine: true,
  flags: {
    ...printFlags,
    ...dryRunFlag,
    filename,
    createAnnotation: bool({ usage: 'Create the annotation if it does not exist.' }),
  },
  async run({ context, flags }) {
    const dryRun = readDryRun(context, flags.dryRun);
    const print = await context.printer(flags, { operation: 'configured', dryRun });
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      filenames: flags.filename,
      namespace,
      requireNamespace: explicit,
    });
    const changes: { readonly info: Info; readonly text: string; readonly current: KubeObject }[] = [];
    await selected.each(async (info) => {
      const helper = new ResourceHelper(await context.client(), mappingOf(info));
      const current = await helper.get(info.namespace, info.name);
      if (lastApplied(current) === undefined && !flags.createAnnotation) {
        throw new Error(
          `no last-applied-configuration annotation found on resource: ${info.name}, to create the annotation, run the command with --create-annotation`,
        );
      }
      const text = plainText(objectOf(info));
      if (lastApplied(current) === text)
        context.print(`set-last-applied ${info.name}: no changes required.\n`);
      else changes.push({ info, text, current });
    });
    for (const { info, text, current } of changes) {
      if (dryRun === 'client') {
        context.print(print(refreshed(info, current).object));
        continue;
      }
      const helper = new ResourceHelper(await context.client(), mappingOf(info));
      const patch = { metadata: { annotations: { [lastAppliedAnnotation]: text } } };
      const changed = await helper.patch(info.namespace, info.name, 'merge', patch, {
        dryRun: dryRun === 'server',
      });
      context.print(print(refreshed(info, changed).object));
    }
  },
});

/** The configuration as in the file, without our own annotations. */
const plainText = (object: KubeObject): string =>
  object.metadata.annotations === undefined ? `${toJson(object)}\n` : configurationText(object);
