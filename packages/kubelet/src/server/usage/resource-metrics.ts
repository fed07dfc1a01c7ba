/** `/metrics/resource`: read by autoscalers and metrics-server. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { memoryInfo } from '../../node/machine.ts';
import { nodeCpuNanoseconds, nodeMemory } from '../../node/node-figures.ts';
import type { Family } from '../../metrics/plain-exposition.ts';
import { containerRows, counter, gauge, type ContainerRow } from './container-rows.ts';
import { cpuSeconds, workingSet, type Figures, type Stats } from './usage-readings.ts';

export function resourceFamilies(figures: Figures, pods: readonly Pod[]): readonly Family[] {
  const perContainer = containerRows(figures, pods);
  const byPod = pods.filter(({ metadata }) => figures.byPod.has(metadata?.uid ?? ''));
  const sum = (pod: Pod, of: (stats: Stats) => number) =>
    (figures.byPod.get(pod.metadata?.uid ?? '') ?? []).reduce((total, { stats }) => total + of(stats), 0);
  return [
    counter(
      'container_cpu_usage_seconds_total',
      '[STABLE] Cumulative cpu time consumed by the container in core-seconds',
      perContainer.map((each) => [labels(each), cpuSeconds(each.stats), each.atMs]),
    ),
    gauge(
      'container_memory_working_set_bytes',
      '[STABLE] Current working set of the container in bytes',
      perContainer.map((each) => [labels(each), workingSet(each.stats), each.atMs]),
    ),
    gauge(
      'container_start_time_seconds',
      '[STABLE] Start time of the container since unix epoch in seconds',
      perContainer.map((each) => [labels(each), each.startedMs / 1000]),
    ),
    counter(
      'node_cpu_usage_seconds_total',
      '[STABLE] Cumulative cpu time consumed by the node in core-seconds',
      [[{}, nodeCpuNanoseconds() / 1e9, figures.nowMs]],
    ),
    gauge('node_memory_working_set_bytes', '[STABLE] Current working set of the node in bytes', [
      [{}, nodeMemory().workingSetBytes, figures.nowMs],
    ]),
    gauge(
      'node_swap_usage_bytes',
      '[ALPHA] Current swap usage of the node in bytes. Reported only on non-windows systems',
      [[{}, swapUsedBytes(), figures.nowMs]],
    ),
    counter(
      'pod_cpu_usage_seconds_total',
      '[STABLE] Cumulative cpu time consumed by the pod in core-seconds',
      byPod.map((pod) => [podLabels(pod), sum(pod, cpuSeconds), figures.nowMs]),
    ),
    gauge(
      'pod_memory_working_set_bytes',
      '[STABLE] Current working set of the pod in bytes',
      byPod.map((pod) => [podLabels(pod), sum(pod, workingSet), figures.nowMs]),
    ),
    gauge(
      'resource_scrape_error',
      '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
      [[{}, 0]],
    ),
  ];
}

const podLabels = ({ metadata }: Pod) => ({
  namespace: metadata?.namespace ?? '',
  pod: metadata?.name ?? '',
});
const labels = ({ pod, name }: ContainerRow) => ({ container: name, ...podLabels(pod) });

const swapUsedBytes = (): number =>
  (memoryInfo().get('SwapTotal') ?? 0) - (memoryInfo().get('SwapFree') ?? 0);
