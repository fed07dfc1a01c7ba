import { flagOf, stringSlice } from '@coxswain/cobra';
import { command, nameFromArguments, type Invocation } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { ruleFlags } from './role.ts';
import { checkResources, policyRules, readResources, readVerbs, warnOfVerbs } from './rules.ts';
import { createFlags, creating, targets } from './create-object.ts';

const urlVerbs = ['*', 'get', 'post', 'put', 'delete', 'patch', 'head', 'options'];

/** Pairs separated by commas; spaces around keys and values are ignored. */
const labelMap = flagOf<Readonly<Record<string, string>>>(
  {
    typeName: 'mapStringString',
    read: (text, previous, changed) => ({
      ...(changed ? previous : {}),
      ...Object.fromEntries(
        text
          .split(',')
          .filter((pair) => pair !== '')
          .map((pair) => {
            const at = pair.indexOf('=');
            if (at < 0) throw new Error('malformed pair, expect string=string');
            return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
          }),
      ),
    }),
    show: (values) =>
      Object.entries(values)
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
  },
  {},
);

export const clusterrole = command({
  use: 'clusterrole NAME --verb=verb --resource=resource.group [--resource-name=resourcename] [--dry-run=server|client|none]',
  long: 'Create a cluster role for resources or URLs, or one that aggregates other roles by label.',
  example: `  # Read nodes
  kubectl create clusterrole node-reader --verb=get,list --resource=nodes

  # Read logs of the server
  kubectl create clusterrole logs --verb=get --non-resource-url=/logs/*

  # Everything that other roles with this label allow
  kubectl create clusterrole all --aggregation-rule="example.com/aggregate=true"`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    ...ruleFlags,
    nonResourceUrl: stringSlice({
      usage: 'A partial URL that the rule applies to. A trailing * matches everything below.',
    }),
    aggregationRule: labelMap({ usage: 'Label selector for the cluster roles to aggregate.' }),
  },
  async run(invocation) {
    const { flags, context } = invocation;
    const name = nameFromArguments(invocation);
    const verbs = readVerbs(flags.verb);
    const resources = readResources(flags.resource);
    const urls = [...new Set(flags.nonResourceUrl)];
    const create = await creating(invocation, flags, name);
    if (Object.keys(flags.aggregationRule).length > 0) {
      if (urls.length + verbs.length + resources.length + flags.resourceName.length > 0) {
        throw new Error(
          'aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
        );
      }
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: flags.aggregationRule }] };
      return create({
        target: targets.clusterRole,
        name,
        fields: { rules: null, aggregationRule },
      });
    }
    await check(invocation, verbs, resources, urls);
    const rules =
      resources.length === 0 ? [] : await policyRules(context, verbs, resources, flags.resourceName);
    const urlRules = urls.length === 0 ? [] : [{ verbs, nonResourceURLs: urls }];
    await create({
      target: targets.clusterRole,
      name,
      fields: { rules: [...rules, ...urlRules] },
    });
  },
});

async function check(
  { context }: Invocation<CommandContext>,
  verbs: readonly string[],
  resources: ReturnType<typeof readResources>,
  urls: readonly string[],
): Promise<void> {
  if (verbs.length === 0) throw new Error('at least one verb must be specified');
  if (resources.length === 0 && urls.length === 0)
    throw new Error('one of resource or nonResourceURL must be specified');
  if (resources.length > 0) {
    warnOfVerbs(context, verbs);
    await checkResources(context, resources, verbs);
  }
  if (urls.length === 0) return;
  const wrong = verbs.find((verb) => !urlVerbs.includes(verb));
  if (wrong !== undefined) throw new Error(`invalid verb: '${wrong}' for nonResourceURL`);
  for (const url of urls) {
    if (url === '*') continue;
    if (!url.startsWith('/')) throw new Error('nonResourceURL should start with /');
    if (url.slice(0, -1).includes('*')) {
      throw new Error("nonResourceURL only supports wildcard matches when '*' is at the end");
    }
  }
}
