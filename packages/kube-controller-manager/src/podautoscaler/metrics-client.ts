/** Reads metrics from the three metrics APIs. Values are in thousandths. */
import type * as autoscalingV2 from '@coxswain/api/autoscaling/v2/index.ts';
import { epochMsOf, parseApiVersion, type LabelSelector, type Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseQuantity, quantityMilliValue } from '@coxswain/apimachinery/quantity.ts';
import { discoveryClient, restMapper, type Discovered, type RestClient } from '@coxswain/client';

export interface PodMetric {
  readonly value: number;
  readonly timestampMs: number;
  /** The measurement window. */
  readonly windowMs: number;
}

export type PodMetrics = ReadonlyMap<string, PodMetric>;

export type ObjectReference = Live<autoscalingV2.CrossVersionObjectReference>;

/** Each method @throws Error with upstream's message. */
export interface MetricsClient {
  resource(
    resource: string,
    namespace: string,
    selector: LabelSelector,
    container: string,
  ): Promise<PodMetrics>;
  pods(metric: string, namespace: string, pods: LabelSelector, metrics: LabelSelector): Promise<PodMetrics>;
  object(metric: string, namespace: string, about: ObjectReference, metrics: LabelSelector): Promise<number>;
  external(metric: string, namespace: string, metrics: LabelSelector): Promise<readonly number[]>;
}

/** The default if a metric doesn't specify it. */
const windowMsDefault = 60_000;

export const metricsClient = (rest: RestClient): MetricsClient => ({
  resource: (...question) => resourceMetrics(rest, ...question),
  pods: (...question) => podMetrics(rest, ...question),
  object: (...question) => objectMetric(rest, ...question),
  external: (...question) => externalMetrics(rest, ...question),
});

interface ContainerUsage {
  readonly name?: string;
  readonly usage?: Readonly<Record<string, string>>;
}

interface ResourceMetric {
  readonly metadata: { readonly name: string };
  readonly timestamp?: string;
  readonly window?: string;
  readonly containers?: readonly ContainerUsage[] | null;
}

const resourceVersion = { group: 'metrics.k8s.io', version: 'v1beta1' };

async function resourceMetrics(
  rest: RestClient,
  resource: string,
  namespace: string,
  selector: LabelSelector,
  container: string,
): Promise<PodMetrics> {
  const items = await itemsFrom<ResourceMetric>('resource', () =>
    rest.request({
      verb: 'GET',
      groupVersion: resourceVersion,
      resource: 'pods',
      namespace,
      query: { labelSelector: selector.toString() },
    }),
  );
  const metrics = new Map<string, PodMetric>();
  for (const { metadata, timestamp, window, containers } of items) {
    const counted = (containers ?? []).filter(({ name }) => container === '' || name === container);
    const values = counted.map(({ usage }) => usage?.[resource]);
    if (values.length === 0 || values.includes(undefined)) continue;
    metrics.set(metadata.name, {
      value: values.reduce((sum, value) => sum + milliOf(value!), 0),
      timestampMs: timestamp === undefined ? 0 : epochMsOf(timestamp),
      windowMs: windowMs(window),
    });
  }
  return metrics;
}

interface MetricValue {
  readonly describedObject?: ObjectReference;
  readonly timestamp?: string;
  readonly windowSeconds?: number;
  /** The name in the first version. */
  readonly window?: number;
  readonly value: string;
}

async function podMetrics(
  rest: RestClient,
  metric: string,
  namespace: string,
  pods: LabelSelector,
  selector: LabelSelector,
): Promise<PodMetrics> {
  const items = await itemsFrom<MetricValue>('custom', async () => {
    const { groupVersion } = await customApi(rest);
    return rest.request({
      verb: 'GET',
      groupVersion,
      resource: 'pods',
      namespace,
      name: '*',
      subresource: metric,
      query: { labelSelector: pods.toString(), metricLabelSelector: selector.toString() || undefined },
    });
  });
  return new Map(
    items.map(({ describedObject, timestamp, windowSeconds, window, value }) => [
      describedObject?.name ?? '',
      {
        value: milliOf(value),
        timestampMs: timestamp === undefined ? 0 : epochMsOf(timestamp),
        windowMs: secondsMs(windowSeconds ?? window),
      },
    ]),
  );
}

const secondsMs = (seconds: number | undefined): number =>
  seconds === undefined ? windowMsDefault : seconds * 1000;

async function objectMetric(
  rest: RestClient,
  metric: string,
  namespace: string,
  { apiVersion = '', kind = '', name = '' }: ObjectReference,
  selector: LabelSelector,
): Promise<number> {
  return failingAs('custom', async () => {
    const { groupVersion, discovered } = await customApi(rest);
    const { group } = parseApiVersion(apiVersion);
    const query = { metricLabelSelector: selector.toString() || undefined };
    const about =
      kind === 'Namespace' && group === ''
        ? { resource: 'metrics', name: metric }
        : { resource: qualified(discovered, group, kind), name, subresource: metric };
    const { items = [] } = await rest.request<{ items?: readonly MetricValue[] }>({
      verb: 'GET',
      groupVersion,
      namespace,
      query,
      ...about,
    });
    if (items.length !== 1) {
      throw new Error(
        `the custom metrics API server returned ${items.length} results when we asked for exactly one`,
      );
    }
    return milliOf(items[0]!.value);
  });
}

/** `services`, `ingresses.networking.k8s.io` */
function qualified(discovered: Discovered, group: string, kind: string): string {
  const { resource, group: found } = restMapper(discovered).forKind({ group, kind });
  return found === '' ? resource : `${resource}.${found}`;
}

const customGroup = 'custom.metrics.k8s.io';
const customVersions = ['v1beta2', 'v1beta1'];

async function customApi(rest: RestClient) {
  // Metrics depend on their adapters, which come and go, so nothing is cached.
  const discovered = await discoveryClient(rest).discover();
  const versions = discovered.resources.filter(({ group }) => group === customGroup);
  if (versions.length === 0) throw new Error(`no custom metrics API (${customGroup}) registered`);
  const version = customVersions.find((one) => versions.some((found) => found.version === one));
  if (version === undefined) throw new Error('no known available metric versions found');
  return { groupVersion: { group: customGroup, version }, discovered };
}

const externalVersion = { group: 'external.metrics.k8s.io', version: 'v1beta1' };

async function externalMetrics(
  rest: RestClient,
  metric: string,
  namespace: string,
  selector: LabelSelector,
): Promise<readonly number[]> {
  const items = await itemsFrom<MetricValue>('external', () =>
    rest.request({
      verb: 'GET',
      groupVersion: externalVersion,
      resource: metric,
      namespace,
      query: { labelSelector: selector.toString() || undefined },
    }),
  );
  return items.map(({ value }) => milliOf(value));
}

type Api = 'resource' | 'custom' | 'external';

async function itemsFrom<T>(
  api: Api,
  ask: () => Promise<{ readonly items?: readonly T[] | null }>,
): Promise<readonly T[]> {
  const { items } = await failingAs(api, ask);
  if ((items ?? []).length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
  return items!;
}

async function failingAs<T>(api: Api, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (failure) {
    const message = messageOf(failure);
    throw new Error(`unable to fetch metrics from ${api} metrics API: ${message}`, { cause: failure });
  }
}

const milliOf = (text: string): number => quantityMilliValue(parseQuantity(text));

/** Parses a Go duration such as `30s` or `1m0s`. */
function windowMs(text: string | undefined): number {
  const parts = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?$/.exec(text ?? '');
  if (parts === null) return 0;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
