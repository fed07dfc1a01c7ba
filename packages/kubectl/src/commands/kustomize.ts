import { bool, string, stringArray, type FlagValues } from '@coxswain/cobra';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { buildKustomization } from '@coxswain/kustomize/build.ts';
import { diskFiles } from '@coxswain/kustomize/loading/disk.ts';
import { individualFiles } from '@coxswain/kustomize/individual-files.ts';

const restrictors = ['LoadRestrictionsRootOnly', 'LoadRestrictionsNone'] as const;
const orders = ['legacy', 'none'] as const;

const flags = {
  asCurrentUser: bool({ usage: 'Run functions in containers as the current user.' }),
  enableAlphaPlugins: bool({ usage: 'Enable kustomize plugins. Accepted, but plugins cannot be run here.' }),
  enableHelm: bool({
    usage: 'Enable the Helm chart inflator generator. Accepted, but charts cannot be rendered here.',
  }),
  enableManagedbyLabel: bool({
    usage: 'Add the label app.kubernetes.io/managed-by to all resources.',
    deprecated:
      'The flag `enable-managedby-label` has been deprecated. Use the `managedByLabel` option in the `buildMetadata` field instead.',
  }),
  env: stringArray({ shorthand: 'e', usage: 'Environment variables for functions.' }),
  helmApiVersions: stringArray({ usage: 'The Kubernetes API versions to pass to Helm.' }),
  helmCommand: string({ default: 'helm', usage: 'The Helm command (path to the executable).' }),
  helmDebug: bool({ usage: 'Print debug output of Helm.' }),
  helmKubeVersion: string({ usage: 'The Kubernetes version to pass to Helm.' }),
  loadRestrictor: string({
    default: restrictors[0],
    usage: `${restrictors[1]} allows kustomizations to load files from outside their directory.`,
  }),
  mount: stringArray({ usage: 'Storage options for functions, read from the file system.' }),
  network: bool({ usage: 'Allow network access for functions that declare it.' }),
  networkName: string({ default: 'bridge', usage: 'The Docker network to run containers in.' }),
  output: string({
    shorthand: 'o',
    usage: 'Write the output to this file or directory instead of standard output.',
  }),
  reorder: string({
    default: orders[0],
    usage: "The sort order of resources: 'legacy' or 'none'.",
    deprecated: "use the new 'sortOptions' field in kustomization.yaml instead.",
  }),
};

type KustomizeFlags = FlagValues<typeof flags>;

export const kustomize = command({
  use: 'kustomize DIR',
  long: `Build a kustomization.yaml and print the result.

 DIR is the directory of the kustomization. It defaults to the current directory.`,
  example: `  # The overlay of a directory
  kubectl kustomize overlays/production`,
  flags,
  run({ context, flags: given, args, changed }) {
    if (args.length > 1) throw new Error('specify one path to kustomization.yaml');
    requireOneOf('load-restrictor', given.loadRestrictor, ['', ...restrictors], restrictors);
    requireOneOf('reorder', given.reorder, orders, orders);
    build(context, given, args[0] ?? '.', changed('reorder'));
  },
});

function requireOneOf(
  flag: string,
  value: string,
  allowed: readonly string[],
  shown: readonly string[],
): void {
  if (allowed.includes(value)) return;
  throw new Error(`illegal flag value --${flag} ${value}; legal values: [${shown.join(' ')}]`);
}

function build(context: CommandContext, flags: KustomizeFlags, path: string, isReorderSet: boolean): void {
  const files = diskFiles(context.io.workingDirectory);
  const map = buildKustomization(files, path, {
    unrestricted: flags.loadRestrictor === 'LoadRestrictionsNone',
    reorder: isReorderSet ? (flags.reorder as (typeof orders)[number]) : 'unspecified',
    managedByLabel: flags.enableManagedbyLabel || context.io.env['KUSTOMIZE_ENABLE_MANAGEDBY_LABEL'] === 'on',
    warn: (line) => context.printError(`${line}\n`),
    log: (line) => context.log('I', line),
  });
  if (flags.output === '') context.print(map.toYaml());
  else if (files.isDirectory(flags.output)) {
    for (const [name, text] of individualFiles(map))
      files.write(`${flags.output.replace(/\/$/, '')}/${name}`, text);
  } else files.write(flags.output, map.toYaml());
}
