/** kwok's Metric: Prometheus pages whose samples are expressions. */

import type { Clock, Random } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { Double, toJson, type Program, type Value } from '@coxswain/cel';
import {
  declareFunction,
  overload,
  type FunctionDeclaration,
} from '@coxswain/cel/declarations/declaration.ts';
import { podUsage, amountOf, type SaidUsage } from '../simulated-metrics/simulated-usage.ts';
import { UsageMeter } from '../simulated-metrics/usage-meter.ts';
import { compiled, evaluated, kwokEnvironment, seenBy } from './kwok-environment.ts';
import type { MetricEntry, MetricSpec } from './kwok-objects.ts';

export interface MetricPagesParts {
  readonly metrics: readonly MetricSpec[];
  readonly clock: Clock;
  readonly random: Random;
  readonly said: SaidUsage;
  readonly node: (name: string) => Node | undefined;
  readonly podsOn: (nodeName: string) => readonly Pod[];
}

/** Returns the text of a node's page; undefined if no Metric has this path. */
export type MetricPages = (node: Node, path: string) => string | undefined;

interface Subject {
  readonly pod?: Pod;
  readonly container?: Container;
}

/** @throws Error describing what is wrong with an invalid expression */
export function metricPages(parts: MetricPagesParts): MetricPages {
  const environment = kwokEnvironment(parts.clock, parts.random, usageFunctions(parts));
  const programs = new Map<string, Program>();
  for (const { metrics } of parts.metrics)
    for (const { labels = [], value, buckets = [] } of metrics)
      for (const text of [value, ...labels.map((one) => one.value), ...buckets.map((one) => one.value)])
        if (text !== undefined) programs.set(text, compiled(environment, text));
  return (node, path) => {
    const name = node.metadata?.name ?? '';
    const spec = parts.metrics.find((one) => one.path.replaceAll('{nodeName}', name) === path);
    if (spec === undefined) return undefined;
    const value = (text: string, { pod, container }: Subject) =>
      evaluated(programs.get(text)!, seenBy(node, pod, container));
    return spec.metrics
      .map((entry) => familyText(entry, subjectsOf(entry, parts.podsOn(name)), value))
      .join('');
  };
}

const subjectsOf = ({ dimension = 'node' }: MetricEntry, pods: readonly Pod[]): readonly Subject[] => {
  if (dimension === 'node') return [{}];
  if (dimension === 'pod') return pods.map((pod) => ({ pod }));
  return pods.flatMap((pod) => (pod.spec?.containers ?? []).map((container) => ({ pod, container })));
};

type ValueOf = (text: string, subject: Subject) => number | string | undefined;

function familyText(entry: MetricEntry, subjects: readonly Subject[], value: ValueOf): string {
  const { name, help = '', kind, labels = [], buckets = [] } = entry;
  const samples = subjects.flatMap((subject) => {
    const pairs = labels.map((label) => [label.name, String(value(label.value, subject) ?? '')] as const);
    if (kind !== 'histogram') {
      const amount = Number(value(entry.value ?? '', subject));
      return Number.isFinite(amount) ? [sample(name, pairs, amount)] : [];
    }
    return histogram(
      name,
      pairs,
      buckets.map(({ le, value: text, hidden = false }) => ({
        le,
        hidden,
        count: Number(value(text, subject) ?? 0),
      })),
    );
  });
  return [
    `# HELP ${name} ${help.trim().replaceAll('\n', '\\n')}`,
    `# TYPE ${name} ${kind}`,
    ...samples,
    '',
  ].join('\n');
}

type Labels = readonly (readonly [name: string, value: string])[];

const sample = (name: string, labels: Labels, amount: number): string =>
  `${name}${labels.length === 0 ? '' : `{${labels.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join(',')}}`} ${amount}`;

/** Each bucket states its own count; a hidden one is added to the next visible one. */
function histogram(
  name: string,
  labels: Labels,
  buckets: readonly { readonly le: number; readonly hidden: boolean; readonly count: number }[],
): readonly string[] {
  let count = 0;
  let sum = 0;
  const lines: string[] = [];
  for (const { le, hidden, count: own } of buckets.toSorted((a, b) => a.le - b.le)) {
    count += own;
    sum += le * own;
    if (!hidden) lines.push(sample(`${name}_bucket`, [...labels, ['le', String(le)]], count));
  }
  return [
    ...lines,
    sample(`${name}_bucket`, [...labels, ['le', '+Inf']], count),
    sample(`${name}_sum`, labels, sum),
    sample(`${name}_count`, labels, count),
  ];
}

/** `pod.Usage("cpu", "web")`, `node.CumulativeUsage("cpu")`, `node.StartedContainersTotal()` */
function usageFunctions({ clock, said, node, podsOn }: MetricPagesParts): readonly FunctionDeclaration[] {
  const meter = new UsageMeter(clock);
  type Amount = (pod: Pod, name: string, resource: string) => number;
  const current: Amount = (pod, name, resource) => {
    const own = node(pod.spec?.nodeName ?? '');
    const usage = podUsage(pod, (container) => said(own, pod, container)).find((one) => one.name === name);
    return amountOf(usage?.usage[resource] ?? '0');
  };
  const cumulative: Amount = (pod, name, resource) =>
    meter.total(
      `${pod.metadata?.uid}/${name}/${resource}`,
      current(pod, name, resource),
      Date.parse(pod.status?.startTime ?? '') || clock.now(),
    );
  const ofPod = (amount: Amount, pod: Pod, resource: string): number =>
    (pod.spec?.containers ?? []).reduce((sum, { name }) => sum + amount(pod, name, resource), 0);
  const known = (object: Value): Pod | undefined => {
    const { metadata, spec } = toJson(object) as Pod;
    return podsOn(spec?.nodeName ?? '').find((one) => one.metadata?.uid === metadata?.uid);
  };
  const ofObject = (amount: Amount) => (object: Value, resource: string) => {
    const pod = known(object);
    if (pod !== undefined) return new Double(ofPod(amount, pod, resource));
    const { metadata } = toJson(object) as Node;
    return new Double(
      podsOn(metadata?.name ?? '').reduce((sum, one) => sum + ofPod(amount, one, resource), 0),
    );
  };
  const ofContainer = (amount: Amount) => (object: Value, resource: string, name: string) => {
    const pod = known(object);
    return new Double(pod === undefined ? 0 : amount(pod, name, resource));
  };
  const started = (object: Value) => {
    const { metadata } = toJson(object) as Node;
    const statuses = podsOn(metadata?.name ?? '').flatMap((pod) => pod.status?.containerStatuses ?? []);
    return new Double(statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount + 1, 0));
  };
  const usage = (name: string, amount: Amount) =>
    declareFunction(name, [
      overload(`kwok_${name}`, 'dyn.(string) -> double', ofObject(amount)),
      overload(`kwok_${name}_container`, 'dyn.(string, string) -> double', ofContainer(amount)),
    ]);
  return [
    usage('Usage', current),
    usage('CumulativeUsage', cumulative),
    declareFunction('StartedContainersTotal', [overload('kwok_started', 'dyn.() -> double', started)]),
  ];
}
