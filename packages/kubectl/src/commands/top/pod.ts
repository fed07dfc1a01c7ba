import type { KubeObject } from '@coxswain/apimachinery';
import { parseFieldSelector } from '@coxswain/apimachinery/field-selector.ts';
import { parseLabelSelector } from '@coxswain/apimachinery/label-selector-text.ts';
import { bool, string } from '@coxswain/cobra';
import { formatGoDuration } from '@coxswain/cobra/go-duration.ts';
import { command, usageError } from '../../command.ts';
import { completeNames } from '../../completion/resources.ts';
import type { CommandContext } from '../../context.ts';
import { allNamespacesFlag, selectorFlag } from '../../flags/object-flags.ts';
import {
  checkSortBy,
  readMetrics,
  requireMetricsApi,
  type MetricsQuery,
  type PodMetrics,
} from './metrics-api.ts';
import {
  amountsOf,
  headingsOf,
  measuredResources,
  podAmounts,
  sorted,
  tableText,
  usageText,
  type Amounts,
  type Resource,
  type SortBy,
} from './usage-table.ts';

/** Younger pods may not have metrics yet. */
const metricsDelayMs = 2 * 60 * 1000;

export const pod = command({
  use: 'pod [NAME | -l label]',
  long: 'Show the CPU and memory usage of pods. New pods have no figures for a short time.',
  example: `  # All pods of the namespace
  kubectl top pod

  # The containers of one
  kubectl top pod web-1 --containers

  # By label
  kubectl top pod -l app=web`,
  disableFlagsInUseLine: true,
  complete: completeNames('pod'),
  flags: {
    ...allNamespacesFlag,
    ...selectorFlag,
    containers: bool({ usage: 'Print the usage of the containers in a pod.' }),
    fieldSelector: string({ usage: 'Field selector to filter pods, such as metadata.name=web-1.' }),
    noHeaders: bool({ usage: "Don't print headings." }),
    showSwap: bool({ usage: 'Also show swap memory.' }),
    sortBy: string({ usage: "Sort by 'cpu' or 'memory', largest first." }),
    sum: bool({ usage: 'Print the sum of the resource usage.' }),
    useProtocolBuffers: bool({
      default: true,
      usage: 'Request metrics as protocol buffers. Accepted and ignored: JSON is used.',
    }),
  },
  async run(invocation) {
    const { context, args, flags } = invocation;
    if (args.length > 1) throw usageError(invocation, invocation.node.command.use);
    const [name = ''] = args;
    const { selector, fieldSelector, sortBy, allNamespaces, containers, noHeaders, sum } = flags;
    checkSortBy(sortBy);
    if (name !== '' && (selector !== '' || fieldSelector !== '')) {
      throw new Error('only one of NAME or selector can be provided');
    }
    parseLabelSelector(selector);
    parseFieldSelector(fieldSelector);
    const { namespace } = await context.namespace();
    await requireMetricsApi(context);
    const query: MetricsQuery = { name, labelSelector: selector, fieldSelector };
    const place = allNamespaces ? 'pods' : `namespaces/${namespace}/pods`;
    const metrics = await readMetrics<PodMetrics>(context, place, query);
    if (metrics.length === 0) {
      await refuseMissing(context, namespace, query);
      context.printError(
        allNamespaces ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`,
      );
      return;
    }
    const resources = measuredResources(flags.showSwap);
    const shown = { resources, sortBy, withNamespace: allNamespaces, containers };
    const rows = rowsOf(metrics, shown);
    if (sum) rows.push(...sumRows(metrics, { ...shown, noHeaders }));
    const headings = [
      ...(allNamespaces ? ['NAMESPACE'] : []),
      ...(containers ? ['POD'] : []),
      'NAME',
      ...headingsOf(resources, false),
    ];
    context.print(tableText(noHeaders ? rows : [headings, ...rows]));
  },
});

interface Shown {
  readonly resources: readonly Resource[];
  readonly sortBy: SortBy;
  readonly withNamespace: boolean;
  readonly containers: boolean;
}

function rowsOf(metrics: readonly PodMetrics[], shown: Shown): (readonly string[])[] {
  const { resources, sortBy, withNamespace } = shown;
  const cells = (amounts: Amounts) => resources.map((resource) => usageText(resource, amounts[resource]));
  const nameOf = ({ metadata }: PodMetrics) =>
    withNamespace ? `${metadata.namespace}\0${metadata.name}` : (metadata.name ?? '');
  const inOrder = sorted(metrics, sortBy, (each) => podAmounts(resources, each), nameOf);
  return inOrder.flatMap((each) => {
    const { namespace = '', name = '' } = each.metadata;
    const lead = withNamespace ? [namespace] : [];
    if (!shown.containers) return [[...lead, name, ...cells(podAmounts(resources, each))]];
    const all = sorted(
      each.containers ?? [],
      sortBy,
      ({ usage }) => amountsOf(resources, [usage]),
      (container) => container.name,
    );
    return all.map((container) => [
      ...lead,
      name,
      container.name,
      ...cells(amountsOf(resources, [container.usage])),
    ]);
  });
}

/** As upstream, which determines the columns only when it prints the headings. */
function sumRows(
  metrics: readonly PodMetrics[],
  { resources, withNamespace, containers, noHeaders }: Shown & { readonly noHeaders: boolean },
): readonly (readonly string[])[] {
  const leading = noHeaders ? 0 : Number(withNamespace) + Number(containers);
  const columns = 1 + resources.length + leading;
  const total = amountsOf(
    resources,
    metrics.flatMap((each) => (each.containers ?? []).map(({ usage }) => usage)),
  );
  const blank = (count: number) => Array.from({ length: count }, () => '');
  return [
    [...blank(columns - 2), '________', '________'],
    [...blank(columns - 3), '', ...resources.map((resource) => usageText(resource, total[resource]))],
  ];
}

/** @throws Error if there are pods: their metrics are missing, or not available yet */
async function refuseMissing(context: CommandContext, namespace: string, query: MetricsQuery): Promise<void> {
  const client = await context.client();
  const { labelSelector = '', fieldSelector = '' } = query;
  const list = await client.request<{ readonly items?: readonly KubeObject[] }>({
    method: 'GET',
    path: `/api/v1/namespaces/${namespace}/pods`,
    query: { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined },
  });
  const pods = list.items ?? [];
  if (pods.length === 0) return;
  for (const { metadata } of pods) {
    const ageMs = context.clock.now() - Date.parse(metadata.creationTimestamp ?? '');
    if (ageMs > metricsDelayMs) {
      const age = formatGoDuration(ageMs);
      throw new Error(`Metrics not available for pod ${metadata.namespace}/${metadata.name}, age: ${age}`);
    }
  }
  throw new Error('metrics not available yet');
}
