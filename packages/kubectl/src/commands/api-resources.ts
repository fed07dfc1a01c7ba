import { bool, string, stringSlice } from '@coxswain/cobra';
import { command, usageError, type Invocation } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { showManagedFieldsFlag } from '../flags/print.ts';
import { choosePrinter } from '../printers/choose.ts';
import { alignTabs } from '../printers/tab-writer.ts';
import { groupVersionOf, type ResourceMapping } from '../mapping.ts';

const formats = ['', 'wide', 'name', 'json', 'yaml', 'kyaml'];

const flags = {
  ...showManagedFieldsFlag,
  apiGroup: string({ usage: 'Limit to resources in this API group.' }),
  cached: bool({ usage: 'Use cached discovery information if available.' }),
  categories: stringSlice({ usage: 'Limit to resources in these categories.' }),
  namespaced: bool({
    default: true,
    usage:
      'If true, only show namespaced resources; if false, only cluster-scoped ones. Shows both by default.',
  }),
  noHeaders: bool({ usage: "Don't print headings." }),
  output: string({ shorthand: 'o', usage: 'Output format. One of: (json, yaml, name, wide).' }),
  sortBy: string({ usage: "Sort by 'name' or 'kind'." }),
  verbs: stringSlice({ usage: 'Only resources that support these verbs.' }),
};

export const apiResources = command({
  use: 'api-resources',
  long: 'Print the resources that the server supports.',
  example: `  # All of them
  kubectl api-resources

  # Those without namespaces, with their verbs
  kubectl api-resources --namespaced=false -o wide`,
  flags,
  async run(invocation) {
    const { context } = invocation;
    check(invocation);
    const connection = await context.connection();
    const mapper = await connection.mapper();
    if (!invocation.flags.cached) mapper.invalidate();
    const { failures } = await mapper.discover();
    const found = filter(invocation, await mapper.all());
    context.print(await print(invocation, found));
    if (failures.length > 0) {
      const reported = failures.map(({ groupVersion, message }) => `${groupVersion}: ${message}`);
      throw new Error(`unable to retrieve the complete list of server APIs: ${reported.join(', ')}`);
    }
  },
});

type ApiResourcesInvocation = Invocation<CommandContext, typeof flags>;

function check(invocation: ApiResourcesInvocation): void {
  const { flags, args } = invocation;
  if (args.length > 0) throw usageError(invocation, `unexpected arguments: [${args.join(' ')}]`);
  if (!formats.includes(flags.output)) {
    throw new Error(
      `unable to match a printer suitable for the output format "${flags.output}", allowed formats are: json,kyaml,name,wide,yaml`,
    );
  }
  if (!['', 'name', 'kind'].includes(flags.sortBy)) throw new Error('--sort-by accepts only name or kind');
}

function filter(
  { flags, changed }: ApiResourcesInvocation,
  all: readonly ResourceMapping[],
): ResourceMapping[] {
  const preferred = new Map<string, string>();
  for (const { group, resource, version } of all) {
    const key = `${resource}.${group}`;
    if (!preferred.has(key)) preferred.set(key, version);
  }
  return all
    .filter(({ group, resource, version }) => preferred.get(`${resource}.${group}`) === version)
    .filter(({ verbs }) => verbs.length > 0)
    .filter(({ group }) => !changed('apiGroup') || group === flags.apiGroup)
    .filter(({ namespaced }) => !changed('namespaced') || namespaced === flags.namespaced)
    .filter(({ verbs }) => flags.verbs.every((verb) => verbs.includes(verb)))
    .filter(({ categories }) => flags.categories.every((category) => categories.includes(category)))
    .sort((a, b) => compare(a, b, flags.sortBy));
}

function compare(a: ResourceMapping, b: ResourceMapping, sortBy: string): number {
  const keys = (one: ResourceMapping): readonly string[] =>
    sortBy === 'name' ? [one.resource] : sortBy === 'kind' ? [one.kind] : [one.group, one.resource];
  const [left, right] = [keys(a), keys(b)];
  const at = left.findIndex((key, index) => key !== right[index]);
  return at < 0 ? 0 : (left[at] as string) < (right[at] as string) ? -1 : 1;
}

async function print(
  { flags, context }: ApiResourcesInvocation,
  found: readonly ResourceMapping[],
): Promise<string> {
  if (flags.output === 'name') {
    return found.map(({ resource, group }) => `${resource}${group === '' ? '' : `.${group}`}\n`).join('');
  }
  if (['json', 'yaml', 'kyaml'].includes(flags.output)) {
    const printer = choosePrinter(
      { ...flags, template: '', allowMissingTemplateKeys: true },
      { workingDirectory: context.io.workingDirectory, order: 'declared' },
    );
    return printer(resourceList(found));
  }
  const wide = flags.output === 'wide';
  const heading = [
    'NAME',
    'SHORTNAMES',
    'APIVERSION',
    'NAMESPACED',
    'KIND',
    ...(wide ? ['VERBS', 'CATEGORIES'] : []),
  ];
  const rows = found.map((one) => [
    one.resource,
    one.shortNames.join(','),
    groupVersionOf(one),
    String(one.namespaced),
    one.kind,
    ...(wide ? [one.verbs.join(','), one.categories.join(',')] : []),
  ]);
  const lines = flags.noHeaders ? rows : [heading, ...rows];
  return alignTabs(lines.map((cells) => `${cells.join('\t')}\n`).join(''));
}

const resourceList = (found: readonly ResourceMapping[]) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: '',
  resources: found.map((one) => ({
    name: one.resource,
    singularName: one.singular,
    namespaced: one.namespaced,
    ...(one.group === '' ? {} : { group: one.group }),
    version: one.version,
    kind: one.kind,
    verbs: one.verbs,
    ...(one.shortNames.length === 0 ? {} : { shortNames: one.shortNames }),
    ...(one.categories.length === 0 ? {} : { categories: one.categories }),
  })),
});
