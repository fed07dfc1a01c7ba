/**
 * Serves metrics.k8s.io, so that `kubectl top` and autoscalers have data: measured usage of real nodes, and declared
 * usage of simulated ones.
 */
import { notFound, type KubeObject } from '@coxswain/apimachinery';
import { formatTime } from '@coxswain/apimachinery/time.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { servedObject, type RestStorage } from '@coxswain/apiserver';
import { served, type Group } from '@coxswain/kube-apiserver/groups/resource.ts';
import type { Services } from '@coxswain/kube-apiserver/groups/services.ts';
import { NodeMetrics, PodMetrics } from './metrics-kinds.ts';
import { isMeasured, podUsage, totalUsage, type SaidUsage, type Usage } from './simulated-usage.ts';

const group = 'metrics.k8s.io';
const version = 'v1beta1';
/** The nominal measurement window. */
const window = '30s';

/** Measures the usage on a real node; undefined for a simulated one. */
export type MeasuredOn = (nodeName: string) => Promise<MeasuredUsage | undefined>;

export interface MeasuredUsage {
  /** Undefined if the node does not answer. */
  readonly node: Usage | undefined;
  /** By uid. */
  readonly pods: ReadonlyMap<string, readonly { readonly name: string; readonly usage: Usage }[]>;
}

/**
 * @param measure measures usage where there is anything to measure
 * @param said usage that kwok's objects declare for simulated pods
 */
export const metricsGroup = (measure: (services: Services) => MeasuredOn, said: SaidUsage): Group => ({
  name: group,
  versions: [served(version)],
  resources: [],
  virtual: [
    {
      name: 'pods',
      versions: [version],
      resource: (_stores, services) => ({
        storage: podStorage(services, measure(services), said),
        singularName: '',
        managedFields: false,
      }),
    },
    {
      name: 'nodes',
      versions: [version],
      resource: (_stores, services) => ({
        storage: nodeStorage(services, measure(services), said),
        singularName: '',
        managedFields: false,
      }),
    },
  ],
});

type Found<T> = Omit<T, 'metadata'> & KubeObject;

const podStorage = ({ objects, clock }: Services, measuredOn: MeasuredOn, said: SaidUsage): RestStorage => ({
  kind: PodMetrics,
  namespaced: true,
  async get({ namespace }, name) {
    const pod = await objects.get<Found<Pod>>({ group: '', resource: 'pods' }, namespace, name);
    if (pod === undefined || !isMeasured(pod)) throw notFound({ group, resource: 'pods' }, name);
    const on = await measuredOn(pod.spec?.nodeName ?? '');
    const usage = usageOfPod(pod, on, said, await nodesOf(objects));
    if (usage === undefined) throw notFound({ group, resource: 'pods' }, name);
    return servedObject(metricsOfPod(pod, usage, clock.now()));
  },
  async list({ namespace }, { labelSelector, fieldSelector }) {
    const pods = await objects.list<Found<Pod>>({ group: '', resource: 'pods' }, namespace);
    const selected = pods.filter((pod) => isMeasured(pod) && isSelected(pod, labelSelector, fieldSelector));
    const nodes = new Map<string, MeasuredUsage | undefined>();
    const names = [...new Set(selected.map(({ spec }) => spec?.nodeName ?? ''))];
    await Promise.all(names.map(async (name) => nodes.set(name, await measuredOn(name))));
    const known = await nodesOf(objects);
    const items = selected.flatMap((pod) => {
      const usage = usageOfPod(pod, nodes.get(pod.spec?.nodeName ?? ''), said, known);
      return usage === undefined ? [] : [servedObject(metricsOfPod(pod, usage, clock.now()))];
    });
    return { resourceVersion: '', items };
  },
});

/** Empty for a pod of a real node that the runtime has no figures for yet. */
const usageOfPod = (
  pod: Found<Pod>,
  on: MeasuredUsage | undefined,
  said: SaidUsage,
  nodes: ReadonlyMap<string, Found<Node>>,
) =>
  on === undefined
    ? podUsage(pod, (container) => said(nodes.get(pod.spec?.nodeName ?? ''), pod, container))
    : on.pods.get(pod.metadata.uid ?? '');

async function nodesOf(objects: Services['objects']): Promise<ReadonlyMap<string, Found<Node>>> {
  const nodes = await objects.list<Found<Node>>({ group: '', resource: 'nodes' }, '');
  return new Map(nodes.map((node) => [node.metadata.name ?? '', node]));
}

const nodeStorage = ({ objects, clock }: Services, measuredOn: MeasuredOn, said: SaidUsage): RestStorage => {
  const podsOf = async (name: string): Promise<readonly Found<Pod>[]> => {
    const pods = await objects.list<Found<Pod>>({ group: '', resource: 'pods' }, '');
    return pods.filter((pod) => isMeasured(pod) && pod.spec?.nodeName === name);
  };
  const usageOf = async (name: string): Promise<Usage | undefined> => {
    const on = await measuredOn(name);
    if (on !== undefined) return on.node;
    const nodes = await nodesOf(objects);
    return totalUsage(
      (await podsOf(name)).flatMap((pod) =>
        (usageOfPod(pod, undefined, said, nodes) ?? []).map(({ usage }) => usage),
      ),
    );
  };
  const metricsOf = async (node: Found<Node>): Promise<KubeObject | undefined> => {
    const usage = await usageOf(node.metadata.name ?? '');
    if (usage === undefined) return undefined;
    return { ...measured('NodeMetrics', node, clock.now()), usage } as unknown as KubeObject;
  };
  return {
    kind: NodeMetrics,
    namespaced: false,
    async get(_request, name) {
      const node = await objects.get<Found<Node>>({ group: '', resource: 'nodes' }, '', name);
      if (node === undefined) throw notFound({ group, resource: 'nodes' }, name);
      const metrics = await metricsOf(node);
      if (metrics === undefined) throw notFound({ group, resource: 'nodes' }, name);
      return servedObject(metrics);
    },
    async list(_request, { labelSelector, fieldSelector }) {
      const nodes = await objects.list<Found<Node>>({ group: '', resource: 'nodes' }, '');
      const selected = nodes.filter((node) => isSelected(node, labelSelector, fieldSelector));
      const metrics = await Promise.all(selected.map(metricsOf));
      return { resourceVersion: '', items: metrics.filter((one) => one !== undefined).map(servedObject) };
    },
  };
};

type ListOptions = Parameters<NonNullable<RestStorage['list']>>[1];

const isSelected = (
  { metadata }: KubeObject,
  labels: ListOptions['labelSelector'],
  fields: ListOptions['fieldSelector'],
): boolean =>
  labels.matches(metadata.labels) &&
  fields.matches((field) =>
    field === 'metadata.name'
      ? (metadata.name ?? '')
      : field === 'metadata.namespace'
        ? (metadata.namespace ?? '')
        : '',
  );

const metricsOfPod = (pod: Found<Pod>, containers: ReturnType<typeof podUsage>, nowMs: number): KubeObject =>
  ({ ...measured('PodMetrics', pod, nowMs), containers }) as unknown as KubeObject;

/** Has the labels of the measured object, as in metrics-server. */
const measured = (kind: string, { metadata }: KubeObject, nowMs: number) => {
  const { name, namespace, labels } = metadata;
  const now = formatTime(nowMs);
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      creationTimestamp: now,
    },
    timestamp: now,
    window,
  };
};
