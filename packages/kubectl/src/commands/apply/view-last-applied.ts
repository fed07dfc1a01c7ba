import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { bool, string } from '@coxswain/cobra';
import { lastApplied } from '../../apply/last-applied.ts';
import { command, usageError } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import { filenameFlags, selectorFlag } from '../../flags/shared.ts';
import { objectOf } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';

export const viewLastApplied = command({
  use: 'view-last-applied (TYPE [NAME | -l label] | TYPE/NAME | -f FILENAME)',
  long: 'Show the configuration that was applied last, in YAML or JSON.',
  example: `  # In JSON
  kubectl apply view-last-applied deployment/web -o json`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...filenameFlags('that name the objects'),
    ...selectorFlag,
    all: bool({ usage: 'All objects of the kinds, in the namespace.' }),
    output: string({ shorthand: 'o', default: 'yaml', usage: 'json or yaml.' }),
  },
  async run(invocation) {
    const { context, flags, args } = invocation;
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      args,
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      labelSelector: flags.selector,
      selectAll: flags.all,
      namespace,
      requireNamespace: explicit,
      latest: true,
      continueOnError: true,
    });
    if (flags.output !== 'json' && flags.output !== 'yaml') {
      throw usageError(
        invocation,
        `Unexpected -o output mode: ${flags.output}, the flag 'output' must be one of yaml|json`,
      );
    }
    await selected.each(async (info) => {
      const text = lastApplied(objectOf(info));
      if (text === undefined) return;
      const configuration = JSON.parse(text) as unknown;
      context.print(
        flags.output === 'json' ? `${JSON.stringify(configuration, null, 2)}\n` : writeYaml(configuration),
      );
    });
  },
});
