/** The usage of a node, a pod, or the pods of a workload, read from metrics.k8s.io while the view is open. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { labelSelectorFromSpec, type KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../../cluster/cluster.ts';
import { listedKinds } from '../../../cluster/kinds.ts';
import { amountOf } from '../../../controls/amounts.ts';
import { isPod, podSelectorOf } from '../pod-selector.ts';

export interface Usage {
  readonly cpuCores: number;
  readonly memoryBytes: number;
}

interface Quantities {
  readonly cpu?: string;
  readonly memory?: string;
}

interface Metrics extends KubeObject {
  /** For a node. */
  readonly usage?: Quantities;
  /** For a pod. */
  readonly containers?: readonly { readonly usage: Quantities }[];
}

/** Metrics servers do not measure more often. */
const askedEveryMs = 15_000;

/** Ten minutes of samples are displayed. */
const samplesMax = 40;

/** Oldest first; undefined if nothing is measured. */
export function useUsage(kind: ApiResource, object: KubeObject): readonly Usage[] | undefined {
  const [samples, setSamples] = useState<readonly Usage[]>([]);
  const isNode = kind.group === '' && kind.kind === 'Node';
  const measured = listedKinds.value.find(
    ({ group, resource }) => group === 'metrics.k8s.io' && resource === (isNode ? 'nodes' : 'pods'),
  );
  const selector = selectorOf(kind, object);
  const isMeasured = measured !== undefined && (isNode || selector !== undefined);
  useEffect(() => {
    if (!isMeasured) return undefined;
    const leaving = new AbortController();
    const { namespace, name } = object.metadata;
    const ask = async (): Promise<void> => {
      const all = client.resource<Metrics>(measured);
      const { items } = await (namespace === undefined ? all : all.namespace(namespace)).list({
        ...(selector !== undefined && selector !== '' && { labelSelector: selector }),
        signal: leaving.signal,
      });
      const own = isNode || isPod(kind) ? items.filter(({ metadata }) => metadata.name === name) : items;
      if (own.length > 0) setSamples((before) => [...before.slice(1 - samplesMax), sumOf(own)]);
    };
    // Nothing is drawn without a response.
    const askQuietly = (): void => detach(ask(), () => undefined);
    askQuietly();
    const asking = setInterval(() => document.hidden || askQuietly(), askedEveryMs);
    return () => {
      clearInterval(asking);
      leaving.abort();
    };
  }, [isMeasured, selector, object.metadata.uid]);
  return samples.length === 0 ? undefined : samples;
}

/** The selector of the pods to measure; undefined for objects without pods. */
const selectorOf = (kind: ApiResource, object: KubeObject): string | undefined =>
  isPod(kind)
    ? labelSelectorFromSpec({ matchLabels: object.metadata.labels ?? {} }).toString()
    : podSelectorOf(kind, object);

function sumOf(all: readonly Metrics[]): Usage {
  const quantities = all.flatMap(({ usage, containers = [] }) => [
    ...(usage === undefined ? [] : [usage]),
    ...containers.map((container) => container.usage),
  ]);
  const sum = (of: (one: Quantities) => string | undefined): number =>
    quantities.reduce((total, one) => total + amountOf(of(one)), 0);
  return { cpuCores: sum(({ cpu }) => cpu), memoryBytes: sum(({ memory }) => memory) };
}
