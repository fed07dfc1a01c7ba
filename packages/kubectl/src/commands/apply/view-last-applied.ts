import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { bool, string } from '@coxswain/cobra';
import { lastApplied } from '../../apply/last-applied.ts';
import { command, usageError } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import { filenameFlags, selectorFlag } from '../../flags/object-flags.ts';
import { objectOf, type Info } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';

export const viewLastApplied = command({
  use: 'view-last-applied (TYPE [NAME | -l label] | TYPE/NAME | -f FILENAME)',
  long: 'Show the last applied configuration in YAML or JSON format.',
  example: `  # In JSON
  kubectl apply view-last-applied deployment/web -o json`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...filenameFlags('that name the objects'),
    ...selectorFlag,
    all: bool({ usage: 'Select all objects of the given types in the namespace.' }),
    output: string({ shorthand: 'o', default: 'yaml', usage: 'Output format. One of: (json, yaml).' }),
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
      allowEmptySelector: explicit,
      namespace,
      requireNamespace: explicit,
      latest: true,
    });
    const configurations: string[] = [];
    for await (const info of selected.infos()) {
      const text = lastApplied(objectOf(info));
      if (text !== undefined) configurations.push(text);
      // Upstream reports this only for objects from files.
      else if (info.source !== '') throw notApplied(info);
    }
    for (const text of configurations) {
      const configuration: unknown = JSON.parse(text);
      // Trailing whitespace of the text is kept.
      const end = text.slice(text.trimEnd().length);
      if (flags.output === 'json') context.print(JSON.stringify(configuration, null, 2) + end);
      else if (flags.output === 'yaml') context.print(writeYaml(configuration));
      else
        throw usageError(
          invocation,
          `Unexpected -o output mode: ${flags.output}, the flag 'output' must be one of yaml|json`,
        );
    }
  },
});

const notApplied = ({ name, source }: Info): Error =>
  new Error(
    `error when no last-applied-configuration annotation found on resource: ${name}\n ${JSON.stringify(source)}: <nil>`,
  );
