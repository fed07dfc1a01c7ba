/** Access to the metrics API, and its detection. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../../context.ts';

/** Quantities by resource: `cpu`, `memory`, `swap`. */
export type Usage = Readonly<Record<string, string>>;

export interface ContainerMetrics {
  readonly name: string;
  readonly usage?: Usage;
}

export interface PodMetrics extends KubeObject {
  readonly containers?: readonly ContainerMetrics[];
}

export interface NodeMetrics extends KubeObject {
  readonly usage?: Usage;
}

interface GroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
  }[];
}

const root = '/apis/metrics.k8s.io/v1beta1';

/** @throws Error if the server has no metrics API */
export async function requireMetricsApi(context: CommandContext): Promise<void> {
  const client = await context.client();
  const { groups = [] } = await client.request<GroupList>({ method: 'GET', path: '/apis' });
  const isServed = groups.some(
    ({ name, versions }) =>
      name === 'metrics.k8s.io' && versions.some(({ version }) => version === 'v1beta1'),
  );
  if (!isServed) throw new Error('Metrics API not available');
}

export interface MetricsQuery {
  /** The name of one object; if empty, all that match the selectors. */
  readonly name: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** @param resource `nodes`, or `namespaces/NAME/pods` */
export async function readMetrics<T extends KubeObject>(
  context: CommandContext,
  resource: string,
  { name, labelSelector, fieldSelector }: MetricsQuery,
): Promise<readonly T[]> {
  const client = await context.client();
  if (name !== '') {
    return [
      await client.request<T>({ method: 'GET', path: `${root}/${resource}/${encodeURIComponent(name)}` }),
    ];
  }
  const query = { labelSelector: labelSelector || undefined, fieldSelector: fieldSelector || undefined };
  const list = await client.request<{ readonly items?: readonly T[] }>({
    method: 'GET',
    path: `${root}/${resource}`,
    query,
  });
  return list.items ?? [];
}

/** @throws Error for any other value */
export function checkSortBy(sortBy: string): asserts sortBy is '' | 'cpu' | 'memory' {
  if (sortBy !== '' && sortBy !== 'cpu' && sortBy !== 'memory') {
    throw new Error('--sort-by accepts only cpu or memory');
  }
}
