import { checkLabelValue } from '@coxswain/apimachinery/names.ts';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import { throwFailures } from '../errors.ts';
import { changeMetadata, metadataFlags } from './change-metadata.ts';
import { splitPairs, type Changes } from './pairs.ts';

export const label = command({
  use: 'label [--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version]',
  long: `Change the labels of objects: KEY=VALUE sets a label, KEY- removes it.

 Existing values are only replaced with --overwrite.`,
  example: `  # Set two labels
  kubectl label pod web tier=front track=canary

  # Remove one from all pods of the namespace
  kubectl label pods --all track-`,
  disableFlagsInUseLine: true,
  flags: metadataFlags('label'),
  complete: completeTypesAndNames,
  async run({ context, flags, args }) {
    const { resources, pairs } = splitPairs(args, 'label');
    const changes = readLabels(pairs);
    await changeMetadata(context, flags, resources, {
      field: 'labels',
      what: 'label',
      changes,
      localExample: 'pod',
      skipUnchanged: true,
      reportMissing: true,
      refusesListInForm: true,
      refuseOverwrites(current) {
        throwFailures(
          [...changes.set]
            .filter(([key, value]) => key in current && current[key] !== value)
            .map(
              ([key]) =>
                new Error(`'${key}' already has a value (${current[key]}), and --overwrite is false`),
            ),
        );
      },
      checksPrinting: false,
      operation: (added, removed) =>
        added > 0 && removed > 0
          ? 'modified'
          : added > 0
            ? 'labeled'
            : removed > 0
              ? 'unlabeled'
              : 'not labeled',
    });
  },
});

function readLabels(pairs: readonly string[]): Changes {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const pair of pairs) {
    if (pair.includes('=')) {
      const [key = '', value = '', ...more] = pair.split('=');
      if (more.length > 0) throw new Error(`invalid label spec: ${pair}`);
      const reasons = checkLabelValue(value);
      if (reasons.length > 0) throw new Error(`invalid label value: "${pair}": ${reasons.join(';')}`);
      set.set(key, value);
    } else if (pair.endsWith('-')) remove.push(pair.slice(0, -1));
    else throw new Error(`unknown label spec: ${pair}`);
  }
  if (remove.some((key) => set.has(key)))
    throw new Error('can not both modify and remove a label in the same command');
  return { set, remove };
}
