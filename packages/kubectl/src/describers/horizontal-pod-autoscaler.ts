import type * as autoscalingV2 from '@coxswain/api/autoscaling/v2/index.ts';
import { StatusError, type KubeObject, type Live } from '@coxswain/apimachinery';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import type { DescribeContext, Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText, timeText } from './text.ts';

interface Autoscaler extends KubeObject {
  readonly spec?: {
    readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string };
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
    readonly metrics?: readonly Metric[];
    readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
    /** Only in v1. */
    readonly targetCPUUtilizationPercentage?: number;
  };
  readonly status?: {
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentMetrics?: readonly MetricStatus[] | null;
    readonly conditions?: readonly Condition[];
    /** Only in v1. */
    readonly currentCPUUtilizationPercentage?: number;
  };
}

type Condition = Live<autoscalingV2.HorizontalPodAutoscalerCondition>;

interface MetricValue {
  readonly type?: string;
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

interface MetricSource {
  readonly name?: string;
  readonly container?: string;
  readonly metric?: { readonly name: string };
  readonly describedObject?: { readonly kind: string; readonly name: string };
  readonly target?: MetricValue;
}

interface Metric {
  readonly type: string;
  readonly external?: MetricSource;
  readonly pods?: MetricSource;
  readonly object?: MetricSource;
  readonly resource?: MetricSource;
  readonly containerResource?: MetricSource;
}

type MetricStatus = Readonly<Record<string, unknown>>;

interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly {
    readonly type: string;
    readonly value: number;
    readonly periodSeconds: number;
  }[];
}

export const describeHorizontalPodAutoscaler: Describer = async (object, context) => {
  const autoscaler = await newestVersion(object, context);
  const { metadata, spec = {}, status = {} } = autoscaler;
  const { kind = '', name = '' } = spec.scaleTargetRef ?? {};
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  text.field(0, 'Reference', `${kind}/${name}`);
  if (autoscaler.apiVersion === 'autoscaling/v1') describeUtilization(text, autoscaler);
  else describeMetrics(text, autoscaler);
  text.field(0, 'Min replicas', spec.minReplicas ?? '<unset>');
  text.field(0, 'Max replicas', spec.maxReplicas ?? 0);
  if (spec.behavior) {
    text.line(0, 'Behavior:');
    describeBehavior(text, 'Scale Up', spec.behavior.scaleUp);
    describeBehavior(text, 'Scale Down', spec.behavior.scaleDown);
  }
  const { currentReplicas = 0, desiredReplicas = 0 } = status;
  text.field(0, `${kind} pods`, `${currentReplicas} current / ${desiredReplicas} desired`);
  describeConditions(text, status.conditions ?? []);
  describeEvents(text, await context.events(autoscaler), context.nowMs);
  return text.toString();
};

/** Version 2 contains more, so it is shown if the server has it, whichever was requested. */
async function newestVersion(object: KubeObject, context: DescribeContext): Promise<Autoscaler> {
  if (object.apiVersion === 'autoscaling/v2') return object;
  const { name, namespace } = object.metadata;
  try {
    return await context.get(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers/${name}`);
  } catch (error) {
    if (error instanceof StatusError) return object;
    throw error;
  }
}

function describeUtilization(text: DescriptionText, { spec = {}, status = {} }: Autoscaler): void {
  if (spec.targetCPUUtilizationPercentage === undefined) return;
  text.field(0, 'Target CPU utilization', `${spec.targetCPUUtilizationPercentage}%`);
  text.field(0, 'Current CPU utilization', `${status.currentCPUUtilizationPercentage ?? '<unknown>'}%`);
}

function describeMetrics(text: DescriptionText, { spec = {}, status = {} }: Autoscaler): void {
  text.field(0, 'Metrics', '( current / target )');
  (spec.metrics ?? []).forEach((metric, index) => {
    text.line(1, metricLine(metric, status.currentMetrics?.[index]));
  });
}

function metricLine(metric: Metric, status: MetricStatus | undefined): string {
  const currentOf = (key: keyof Metric): MetricValue | undefined =>
    (status?.[key] as { readonly current?: MetricValue } | undefined)?.current;
  const { external, pods, object, resource, containerResource } = metric;
  if (metric.type === 'External' && external) {
    const value = valueText(currentOf('external'), external.target, external.target?.averageValue);
    return `"${external.metric?.name}" ${value}`;
  }
  if (metric.type === 'Pods' && pods) {
    return `"${pods.metric?.name}" on pods:\t${average(currentOf('pods'))} / ${average(pods.target)}`;
  }
  if (metric.type === 'Object' && object) {
    const { kind, name } = object.describedObject ?? {};
    const isAverage = object.target?.type === 'AverageValue';
    return `"${object.metric?.name}" on ${kind}/${name} ${valueText(currentOf('object'), object.target, isAverage)}`;
  }
  if (metric.type === 'Resource' && resource) {
    return `resource ${resource.name} on pods${resourceText(currentOf('resource'), resource.target)}`;
  }
  if (metric.type === 'ContainerResource' && containerResource) {
    const { name, container, target } = containerResource;
    return `resource ${name} of container "${container}" on pods${resourceText(currentOf('containerResource'), target)}`;
  }
  return `<unknown metric type ${goQuote(metric.type)}>`;
}

const unknown = '<unknown>';
const quantity = (value: string | undefined): string =>
  value === undefined ? '<nil>' : canonicalQuantity(value);
const average = (value: MetricValue | undefined): string =>
  value === undefined ? unknown : quantity(value.averageValue);

function valueText(
  current: MetricValue | undefined,
  target: MetricValue | undefined,
  isAverage: unknown,
): string {
  if (isAverage) {
    const now = current?.averageValue === undefined ? unknown : quantity(current.averageValue);
    return `(target average value):\t${now} / ${quantity(target?.averageValue)}`;
  }
  const now = current === undefined ? unknown : quantity(current.value);
  return `(target value):\t${now} / ${quantity(target?.value)}`;
}

function resourceText(current: MetricValue | undefined, target: MetricValue | undefined): string {
  if (target?.averageValue !== undefined) return `:\t${average(current)} / ${quantity(target.averageValue)}`;
  const now =
    current?.averageUtilization === undefined
      ? unknown
      : `${current.averageUtilization}% (${quantity(current.averageValue)})`;
  const wanted = target?.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return `  (as a percentage of request):\t${now} / ${wanted}`;
}

function describeBehavior(text: DescriptionText, direction: string, rules: ScalingRules | undefined): void {
  if (!rules) return;
  text.line(1, `${direction}:`);
  if (rules.stabilizationWindowSeconds !== undefined) {
    text.line(2, `Stabilization Window: ${rules.stabilizationWindowSeconds} seconds`);
  }
  if (!rules.policies?.length) return;
  text.line(2, `Select Policy: ${rules.selectPolicy ?? 'Max'}`);
  text.line(2, 'Policies:');
  for (const { type, value, periodSeconds } of rules.policies) {
    text.line(3, `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`);
  }
}

function describeConditions(text: DescriptionText, conditions: readonly Condition[]): void {
  if (conditions.length === 0) return;
  text.line(0, 'Conditions:');
  text.line(1, 'Type\tStatus\tReason\tMessage');
  text.line(1, '----\t------\t------\t-------');
  for (const { type, status, reason = '', message = '' } of conditions) {
    text.line(1, `${type}\t${status}\t${reason}\t${message}`);
  }
}
