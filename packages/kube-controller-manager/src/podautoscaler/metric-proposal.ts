/** Evaluates one metric of an autoscaler: the proposed number of replicas, and the measurement. */
import {
  labelSelectorFromSpec,
  everythingSelector,
  type LabelSelector,
  type LabelSelectorSpec,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  formatQuantity,
  milliQuantityOf,
  parseQuantity,
  quantityMilliValue,
} from '@coxswain/apimachinery/quantity.ts';
import type { Pod } from '../objects.ts';
import type { AutoscalerSettings } from '../settings.ts';
import type { MetricSpec, MetricStatus } from './autoscaler.ts';
import { selectorText } from './selector-text.ts';
import type { MetricsClient, PodMetrics } from './metrics-client.ts';
import {
  averageOf,
  countedMetrics,
  countReady,
  groupPods,
  replicasForPods,
  replicasForRatio,
  replicasForShare,
  requestsOf,
  utilizationOf,
  type Tolerances,
} from './replica-calculator.ts';

export interface Proposal {
  readonly replicas: number;
  /** The name of the metric in events. */
  readonly metric: string;
  readonly status: MetricStatus;
}

/** Why a metric has no result. */
export class MetricFailure extends Error {
  readonly reason: string;
  /** For the summary of all failures. */
  readonly summary: string;

  constructor(reason: string, message: string, summary: string) {
    super(message);
    this.reason = reason;
    this.summary = summary;
  }
}

export interface Target {
  readonly namespace: string;
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly selector: LabelSelector;
  readonly tolerances: Tolerances;
  /** Returns the pods that the selector currently matches. */
  readonly pods: () => readonly Pod[];
}

export interface ProposalParts {
  readonly metrics: MetricsClient;
  readonly settings: AutoscalerSettings;
  readonly now: () => number;
}

/** @throws MetricFailure */
export async function proposalOf(spec: MetricSpec, target: Target, parts: ProposalParts): Promise<Proposal> {
  const source = sources[spec.type];
  if (source === undefined) {
    const text = `unknown metric source type "${spec.type}"`;
    throw new MetricFailure('InvalidMetricSourceType', text, text);
  }
  try {
    return await source.propose(spec, target, parts);
  } catch (failure) {
    const message = messageOf(failure);
    throw new MetricFailure(source.reason, message, `${source.prefix(spec)}: ${message}`);
  }
}

interface Source {
  readonly reason: string;
  prefix(spec: MetricSpec): string;
  propose(spec: MetricSpec, target: Target, parts: ProposalParts): Promise<Proposal>;
}

const sources: Readonly<Record<string, Source>> = {
  Resource: {
    reason: 'FailedGetResourceMetric',
    prefix: ({ resource }) => `failed to get ${resource!.name} resource metric value`,
    async propose({ resource }, target, parts) {
      const { name, target: wanted } = resource!;
      const { current, ...found } = await ofResource(name, wanted, '', target, parts);
      return { ...found, status: { type: 'Resource', resource: { name, current } } };
    },
  },
  ContainerResource: {
    reason: 'FailedGetContainerResourceMetric',
    prefix: ({ containerResource }) => `failed to get ${containerResource!.container} container metric value`,
    async propose({ containerResource }, target, parts) {
      const { name, container, target: wanted } = containerResource!;
      const { current, ...found } = await ofResource(name, wanted, container, target, parts);
      const status = { type: 'ContainerResource', containerResource: { name, container, current } };
      return { ...found, status };
    },
  },
  Pods: {
    reason: 'FailedGetPodsMetric',
    prefix: () => 'failed to get pods metric value',
    async propose({ pods }, target, parts) {
      const { metric, target: wanted } = pods!;
      const ask = parts.metrics.pods(
        metric.name,
        target.namespace,
        target.selector,
        selectorOf(metric.selector),
      );
      const metrics = await failingAs(`unable to get metric ${metric.name}`, ask);
      const { replicas, average } = ofPlainMetric(metrics, milliOf(wanted.averageValue), '', target, parts);
      const current = { averageValue: quantityText(average) };
      return {
        replicas,
        metric: `pods metric ${metric.name}`,
        status: { type: 'Pods', pods: { metric, current } },
      };
    },
  },
  Object: {
    reason: 'FailedGetObjectMetric',
    prefix: ({ object }) =>
      object!.target.type === 'AverageValue'
        ? `failed to get object metric value: failed to get ${object!.metric.name} object metric`
        : 'failed to get object metric value',
    propose: ofObject,
  },
  External: {
    reason: 'FailedGetExternalMetric',
    prefix({ external }) {
      const { name } = external!.metric;
      const inner =
        external!.target.averageValue === undefined
          ? `failed to get external metric ${name}`
          : `failed to get ${name} external metric`;
      return `failed to get ${name} external metric value: ${inner}`;
    },
    propose: ofExternal,
  },
};

type MetricTarget = NonNullable<MetricSpec['resource']>['target'];
type Current = NonNullable<MetricStatus['resource']>['current'];

async function ofResource(
  resource: string,
  wanted: MetricTarget,
  container: string,
  target: Target,
  parts: ProposalParts,
): Promise<{ replicas: number; metric: string; current: Current }> {
  const text = (milli: number) => quantityText(milli, resource === 'memory');
  const ask = () =>
    failingAs(
      `unable to get metrics for resource ${resource}`,
      parts.metrics.resource(resource, target.namespace, target.selector, container),
    );
  if (wanted.averageValue !== undefined) {
    const find = async () =>
      ofPlainMetric(await ask(), milliOf(wanted.averageValue), resource, target, parts);
    const { replicas, average } = await failingAs(`failed to get ${resource} usage`, find());
    return { replicas, metric: `${resource} resource`, current: { averageValue: text(average) } };
  }
  const { averageUtilization } = wanted;
  if (averageUtilization === undefined) {
    throw new Error(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  }
  const find = async () => ofUtilization(await ask(), averageUtilization, container, resource, target, parts);
  const found = await failingAs(`failed to get ${resource} utilization`, find());
  const what = container === '' ? 'resource' : 'container resource';
  return {
    replicas: found.replicas,
    metric: `${resource} ${what} utilization (percentage of request)`,
    current: { averageUtilization: found.percent, averageValue: text(found.average) },
  };
}

function ofUtilization(
  metrics: PodMetrics,
  wantedPercent: number,
  container: string,
  resource: string,
  target: Target,
  parts: ProposalParts,
) {
  const pods = podsOf(target);
  const groups = groupPods(pods, metrics, resource, parts.settings, parts.now());
  const counted = countedMetrics({ metrics, groups });
  const requests = requestsOf(pods, container, resource);
  const used = utilizationOf(counted, requests);
  const assumedPercent = Math.max(100, wantedPercent);
  const replicas = replicasForPods({
    metrics,
    groups,
    currentReplicas: target.specReplicas,
    tolerances: target.tolerances,
    ratioOf: (all) => utilizationOf(all, requests).percent / wantedPercent,
    assumedOf: (pod) => Math.trunc(((requests.get(pod) ?? 0) * assumedPercent) / 100),
  });
  return { replicas, ...used };
}

function ofPlainMetric(
  metrics: PodMetrics,
  wanted: number,
  resource: string,
  target: Target,
  parts: ProposalParts,
) {
  const groups = groupPods(podsOf(target), metrics, resource, parts.settings, parts.now());
  const average = averageOf(countedMetrics({ metrics, groups }));
  const replicas = replicasForPods({
    metrics,
    groups,
    currentReplicas: target.specReplicas,
    tolerances: target.tolerances,
    ratioOf: (all) => averageOf(all) / wanted,
    assumedOf: () => wanted,
  });
  return { replicas, average };
}

async function ofObject({ object }: MetricSpec, target: Target, parts: ProposalParts): Promise<Proposal> {
  const { metric, target: wanted, describedObject } = object!;
  const measure = () =>
    failingAs(
      // In upstream's order.
      `unable to get metric ${metric.name}: ${describedObject.kind} on ${target.namespace} ${describedObject.name}/`,
      parts.metrics.object(metric.name, target.namespace, describedObject, selectorOf(metric.selector)),
      '',
    );
  const statusOf = (current: Current): MetricStatus => ({
    type: 'Object',
    object: { metric, current, describedObject },
  });
  if (wanted.type === 'Value' && wanted.value !== undefined) {
    const { replicas, usage } = ofShared(await measure(), milliOf(wanted.value), target);
    const name = `${describedObject.kind} metric ${metric.name}`;
    return { replicas, metric: name, status: statusOf({ value: quantityText(usage) }) };
  }
  if (wanted.type === 'AverageValue' && wanted.averageValue !== undefined) {
    const { replicas, average } = ofDivided(await measure(), milliOf(wanted.averageValue), target);
    const name = `external metric ${metric.name}(${selectorText(metric.selector)})`;
    return { replicas, metric: name, status: statusOf({ averageValue: quantityText(average) }) };
  }
  throw new Error('invalid object metric source: neither a value target nor an average value target was set');
}

async function ofExternal({ external }: MetricSpec, target: Target, parts: ProposalParts): Promise<Proposal> {
  const { metric, target: wanted } = external!;
  const selector = selectorText(metric.selector);
  const measure = async () => {
    const ask = parts.metrics.external(metric.name, target.namespace, selectorOf(metric.selector));
    const what = `unable to get external metric ${target.namespace}/${metric.name}/${selector}`;
    return (await failingAs(what, ask)).reduce((sum, value) => sum + value, 0);
  };
  const name = `external metric ${metric.name}(${selector})`;
  const proposal = (replicas: number, current: Current): Proposal => ({
    replicas,
    metric: name,
    status: { type: 'External', external: { metric, current } },
  });
  if (wanted.averageValue !== undefined) {
    const { replicas, average } = ofDivided(await measure(), milliOf(wanted.averageValue), target);
    return proposal(replicas, { averageValue: quantityText(average) });
  }
  if (wanted.value !== undefined) {
    const { replicas, usage } = ofShared(await measure(), milliOf(wanted.value), target);
    return proposal(replicas, { value: quantityText(usage) });
  }
  throw new Error(
    'invalid external metric source: neither a value target nor an average value target was set',
  );
}

function ofShared(usage: number, wanted: number, target: Target) {
  const { specReplicas, tolerances } = target;
  const ready = () => {
    try {
      return countReady(podsOf(target));
    } catch (failure) {
      throw new Error(`unable to calculate ready pods: ${messageOf(failure)}`, { cause: failure });
    }
  };
  return { replicas: replicasForRatio(usage / wanted, specReplicas, tolerances, ready), usage };
}

const ofDivided = (usage: number, wanted: number, { statusReplicas, tolerances }: Target) =>
  replicasForShare(usage, wanted, statusReplicas, tolerances);

function podsOf({ pods }: Target): readonly Pod[] {
  const found = pods();
  if (found.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  return found;
}

/** A metric without a selector matches any. */
const selectorOf = (spec: unknown): LabelSelector =>
  spec === undefined || spec === null ? everythingSelector : labelSelectorFromSpec(spec as LabelSelectorSpec);

const milliOf = (text: string | undefined): number => quantityMilliValue(parseQuantity(text ?? '0'));

const quantityText = (milli: number, isBinary = false): string =>
  formatQuantity(milliQuantityOf(milli, isBinary ? 'BinarySI' : 'DecimalSI'));

async function failingAs<T>(what: string, work: Promise<T>, separator = ': '): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    throw new Error(`${what}${separator}${messageOf(failure)}`, { cause: failure });
  }
}
