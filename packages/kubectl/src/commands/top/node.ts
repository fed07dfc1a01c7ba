import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { parseLabelSelector } from '@coxswain/apimachinery/label-selector-text.ts';
import { bool, string } from '@coxswain/cobra';
import { command, usageError } from '../../command.ts';
import { completeNames } from '../../completion/resources.ts';
import type { CommandContext } from '../../context.ts';
import { selectorFlag } from '../../flags/object-flags.ts';
import { checkSortBy, readMetrics, requireMetricsApi, type NodeMetrics } from './metrics-api.ts';
import {
  amountsOf,
  headingsOf,
  measuredResources,
  shareCells,
  sorted,
  tableText,
  unknownCells,
  wholeAmount,
  type Amounts,
  type Resource,
} from './usage-table.ts';

type Node = Live<core.Node>;

/** A node's resources, and those that it doesn't report. */
interface Available {
  readonly amounts: Amounts;
  readonly missing: ReadonlySet<Resource>;
}

export const node = command({
  use: 'node [NAME | -l label]',
  long: 'Show the CPU and memory usage of nodes.',
  example: `  # All nodes
  kubectl top node

  # One of them
  kubectl top node node-1`,
  disableFlagsInUseLine: true,
  complete: completeNames('node'),
  flags: {
    ...selectorFlag,
    noHeaders: bool({ usage: "Don't print headings." }),
    showCapacity: bool({
      usage: 'Show the usage relative to the capacity of nodes instead of their allocatable resources.',
    }),
    showSwap: bool({ usage: 'Also show swap memory.' }),
    sortBy: string({ usage: "Sort by 'cpu' or 'memory', largest first." }),
    useProtocolBuffers: bool({
      default: true,
      usage: 'Request metrics as protocol buffers. Accepted and ignored: JSON is used.',
    }),
  },
  async run(invocation) {
    const { context, args, flags } = invocation;
    if (args.length > 1) throw usageError(invocation, invocation.node.command.use);
    const [name = ''] = args;
    const { selector, sortBy, showSwap, showCapacity, noHeaders } = flags;
    checkSortBy(sortBy);
    if (name !== '' && selector !== '') throw new Error('only one of NAME or --selector can be provided');
    parseLabelSelector(selector);
    await requireMetricsApi(context);
    const metrics = await readMetrics<NodeMetrics>(context, 'nodes', { name, labelSelector: selector });
    if (metrics.length === 0) throw new Error('metrics not available yet');
    const resources = measuredResources(showSwap);
    const nodes = await readNodes(context, name, selector);
    const available = new Map(
      nodes.map((each) => [each.metadata.name ?? '', availableOf(each, showCapacity)] as const),
    );
    const inOrder = sorted(
      metrics,
      sortBy,
      ({ usage }) => amountsOf(resources, [usage]),
      ({ metadata }) => metadata.name ?? '',
    );
    const rows = inOrder.map((each) => rowOf(each, resources, available));
    for (const silent of available.keys()) rows.push([silent, ...unknownCells(resources)]);
    context.print(tableText(noHeaders ? rows : [['NAME', ...headingsOf(resources, true)], ...rows]));
  },
});

const nothing: ReadonlySet<Resource> = new Set();

/** Removes the node from the available ones. */
function rowOf(
  { metadata: { name = '' }, usage }: NodeMetrics,
  resources: readonly Resource[],
  available: Map<string, Available>,
): readonly string[] {
  const { amounts, missing = nothing } = available.get(name) ?? {};
  available.delete(name);
  return [name, ...shareCells(resources, amountsOf(resources, [usage]), amounts, missing)];
}

async function readNodes(context: CommandContext, name: string, selector: string): Promise<readonly Node[]> {
  const client = await context.client();
  if (name !== '') {
    return [await client.request<Node>({ method: 'GET', path: `/api/v1/nodes/${encodeURIComponent(name)}` })];
  }
  const query = { labelSelector: selector || undefined };
  const list = await client.request<{ readonly items?: readonly Node[] }>({
    method: 'GET',
    path: '/api/v1/nodes',
    query,
  });
  return list.items ?? [];
}

function availableOf({ status = {} }: Node, showCapacity: boolean): Available {
  const given = (showCapacity ? status.capacity : status.allocatable) ?? {};
  const known = (['cpu', 'memory'] as const).filter((resource) => given[resource] !== undefined);
  const swap = status.nodeInfo?.swap?.capacity;
  return {
    amounts: { ...amountsOf(known, [given]), ...(swap === undefined ? {} : { swap: wholeAmount(swap) }) },
    missing: new Set<Resource>(swap === undefined ? ['swap'] : []),
  };
}
