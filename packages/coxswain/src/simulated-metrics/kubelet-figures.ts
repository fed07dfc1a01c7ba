/** Reports the resource usage of a simulated kubelet's containers: the summary, and Prometheus pages. */

import { formatTime } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { amountOf, type Usage } from './simulated-usage.ts';
import type { UsageMeter } from './usage-meter.ts';

export type UsageOfPod = (pod: Pod) => readonly { readonly name: string; readonly usage: Usage }[];

export interface FiguresParts {
  readonly node: Pick<Node, 'status' | 'metadata'>;
  readonly pods: readonly Pod[];
  readonly usageOf: UsageOfPod;
  readonly meter: UsageMeter;
  readonly nowMs: number;
}

interface Figures {
  /** Current use. */
  readonly cores: number;
  /** Total use since the start. */
  readonly coreSeconds: number;
  readonly memoryBytes: number;
}

interface ContainerFigures extends Figures {
  readonly name: string;
  readonly startedAt: string | undefined;
}

interface PodFigures extends Figures {
  readonly pod: Pod;
  readonly containers: readonly ContainerFigures[];
}

const amount = (usage: Usage, resource: string): number => amountOf(usage[resource] ?? '0');

const sumOf = (figures: readonly Figures[]): Figures => ({
  cores: figures.reduce((sum, { cores }) => sum + cores, 0),
  coreSeconds: figures.reduce((sum, { coreSeconds }) => sum + coreSeconds, 0),
  memoryBytes: figures.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
});

/** For running containers. */
function figuresOf({ pods, usageOf, meter, nowMs }: FiguresParts): readonly PodFigures[] {
  return pods.map((pod) => {
    const states = new Map((pod.status?.containerStatuses ?? []).map(({ name, state }) => [name, state]));
    const containers = usageOf(pod).flatMap(({ name, usage }): ContainerFigures[] => {
      const started = states.get(name)?.running;
      // Stages may set only the phase of a pod, without container statuses.
      const runs = states.size === 0 ? pod.status?.phase === 'Running' : started != null;
      if (!runs) return [];
      const cores = amount(usage, 'cpu');
      const startedAt = started?.startedAt ?? pod.status?.startTime ?? undefined;
      const sinceMs = startedAt === undefined ? nowMs : Date.parse(startedAt);
      const coreSeconds = meter.total(`${pod.metadata?.uid}/${name}/${startedAt}`, cores, sinceMs);
      return [{ name, startedAt, cores, coreSeconds, memoryBytes: amount(usage, 'memory') }];
    });
    return { pod, containers, ...sumOf(containers) };
  });
}

/** `stats/summary` */
export function summaryOf(parts: FiguresParts): object {
  const { node, nowMs } = parts;
  const time = formatTime(nowMs);
  const shown = ({ cores, coreSeconds, memoryBytes }: Figures) => ({
    cpu: {
      time,
      usageNanoCores: Math.round(cores * 1e9),
      usageCoreNanoSeconds: Math.round(coreSeconds * 1e9),
    },
    memory: { time, usageBytes: memoryBytes, workingSetBytes: memoryBytes, rssBytes: memoryBytes },
  });
  const figures = figuresOf(parts);
  return {
    node: {
      nodeName: node.metadata?.name,
      startTime: node.metadata?.creationTimestamp,
      ...shown(nodeFigures(parts, figures)),
    },
    pods: figures.map(({ pod: { metadata, status }, containers, ...whole }) => ({
      podRef: { name: metadata?.name, namespace: metadata?.namespace, uid: metadata?.uid },
      startTime: status?.startTime ?? null,
      containers: containers.map(({ name, startedAt, ...one }) => ({
        name,
        startTime: startedAt ?? null,
        ...shown(one),
      })),
      ...shown(whole),
    })),
  };
}

/** The node's total keeps growing after pods have gone. */
function nodeFigures({ node, meter, nowMs }: FiguresParts, figures: readonly PodFigures[]): Figures {
  const whole = sumOf(figures);
  return { ...whole, coreSeconds: meter.total(`node/${node.metadata?.name}`, whole.cores, nowMs) };
}

type Sample = readonly [labels: Readonly<Record<string, string | undefined>>, value: number];

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text = '']) => `${label}=${JSON.stringify(text)}`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

const secondsOf = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time) / 1000);

/** `metrics/resource` */
export function resourceMetrics(parts: FiguresParts): string {
  const figures = figuresOf(parts);
  const whole = nodeFigures(parts, figures);
  const cpu = '[STABLE] Cumulative cpu time consumed in core-seconds';
  const memory = '[STABLE] Current working set in bytes';
  const ofPods = (value: (one: PodFigures) => number): Sample[] =>
    figures.filter(({ containers }) => containers.length > 0).map((one) => [labelsOf(one.pod), value(one)]);
  return [
    family(
      'container_cpu_usage_seconds_total',
      'counter',
      cpu,
      containersOf(figures, (one) => one.coreSeconds),
    ),
    family(
      'container_memory_working_set_bytes',
      'gauge',
      memory,
      containersOf(figures, (one) => one.memoryBytes),
    ),
    family(
      'container_start_time_seconds',
      'gauge',
      '[STABLE] Start time of the container since unix epoch in seconds',
      containersOf(figures, ({ startedAt }) => secondsOf(startedAt)),
    ),
    family('node_cpu_usage_seconds_total', 'counter', cpu, [[{}, whole.coreSeconds]]),
    family('node_memory_working_set_bytes', 'gauge', memory, [[{}, whole.memoryBytes]]),
    family(
      'pod_cpu_usage_seconds_total',
      'counter',
      cpu,
      ofPods((one) => one.coreSeconds),
    ),
    family(
      'pod_memory_working_set_bytes',
      'gauge',
      memory,
      ofPods((one) => one.memoryBytes),
    ),
    family('resource_scrape_error', 'gauge', '[STABLE] 1 if there was an error, 0 otherwise', [[{}, 0]]),
  ].join('');
}

/** `metrics/cadvisor`, which dashboards use most. */
export function cadvisorMetrics(parts: FiguresParts): string {
  const figures = figuresOf(parts);
  const capacity = parts.node.status?.capacity ?? {};
  return [
    family(
      'container_cpu_usage_seconds_total',
      'counter',
      'Cumulative cpu time consumed in seconds.',
      containersOf(figures, (one) => one.coreSeconds, { cpu: 'total' }),
    ),
    family(
      'container_memory_working_set_bytes',
      'gauge',
      'Current working set in bytes.',
      containersOf(figures, (one) => one.memoryBytes),
    ),
    family(
      'container_start_time_seconds',
      'gauge',
      'Start time of the container since unix epoch in seconds.',
      containersOf(figures, ({ startedAt }) => secondsOf(startedAt)),
    ),
    family('machine_cpu_cores', 'gauge', 'Number of logical CPU cores.', [[{}, amount(capacity, 'cpu')]]),
    family('machine_memory_bytes', 'gauge', 'Amount of memory installed on the machine.', [
      [{}, amount(capacity, 'memory')],
    ]),
  ].join('');
}

/** `metrics`: the kubelet's own metrics. */
export function kubeletMetrics(parts: FiguresParts): string {
  const figures = figuresOf(parts);
  const running = figures.filter(({ containers }) => containers.length > 0).length;
  const containers = figures.reduce((sum, one) => sum + one.containers.length, 0);
  return [
    family('kubelet_node_name', 'gauge', "[ALPHA] The node's name. The count is always 1.", [
      [{ node: parts.node.metadata?.name }, 1],
    ]),
    family('kubelet_running_containers', 'gauge', '[ALPHA] Number of containers currently running', [
      [{ container_state: 'running' }, containers],
    ]),
    family('kubelet_running_pods', 'gauge', '[ALPHA] Number of pods that have a running pod sandbox', [
      [{}, running],
    ]),
  ].join('');
}

const labelsOf = ({ metadata }: Pod) => ({ namespace: metadata?.namespace, pod: metadata?.name });

const containersOf = (
  figures: readonly PodFigures[],
  value: (one: ContainerFigures) => number,
  more: Readonly<Record<string, string>> = {},
): Sample[] =>
  figures.flatMap(({ pod, containers }) =>
    containers.map((one): Sample => [{ container: one.name, ...more, ...labelsOf(pod) }, value(one)]),
  );
