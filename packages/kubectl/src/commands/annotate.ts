import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import { changeMetadata, metadataFlags } from './change-metadata.ts';
import { splitPairs, type Changes } from './pairs.ts';

/** May be overwritten without --overwrite. */
const changeCause = 'kubernetes.io/change-cause';

export const annotate = command({
  use: 'annotate [--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version]',
  long: `Change the annotations of objects: KEY=VALUE sets an annotation, KEY- removes it.

 Annotations can hold arbitrary text for people and programs; unlike labels, they cannot be used in selectors. Existing values are only replaced with --overwrite.`,
  example: `  # A note
  kubectl annotate pod web description='serves the start page'

  # Remove it
  kubectl annotate pod web description-`,
  disableFlagsInUseLine: true,
  flags: metadataFlags('annotate'),
  complete: completeTypesAndNames,
  async run({ context, flags, args }) {
    const { resources, pairs } = splitPairs(args, 'annotation');
    const changes = readAnnotations(pairs);
    const both = changes.remove.filter((key) => changes.set.has(key));
    await changeMetadata(context, flags, resources, {
      field: 'annotations',
      what: 'annotation',
      changes,
      checkChanges: () => refuseBoth(both),
      localExample: 'rsrc',
      skipUnchanged: false,
      reportMissing: false,
      refusesListInForm: false,
      refuseOverwrites(current) {
        const taken = [...changes.set]
          .filter(([key, value]) => key !== changeCause && key in current && current[key] !== value)
          .map(([key]) => `'${key}' already has a value (${current[key]})`);
        if (taken.length === 0) return;
        throw new Error(
          `--overwrite is false but found the following declared annotation(s): ${taken.join('; ')}`,
        );
      },
      operation: () => 'annotated',
      checksPrinting: true,
    });
  },
});

function refuseBoth(both: readonly string[]): void {
  if (both.length === 0) return;
  throw new Error(
    `can not both modify and remove the following annotation(s) in the same command: ${both.join(', ')}`,
  );
}

function readAnnotations(pairs: readonly string[]): Changes {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals > 0) set.set(pair.slice(0, equals), pair.slice(equals + 1));
    else remove.push(pair.slice(0, -1));
  }
  return { set, remove };
}
