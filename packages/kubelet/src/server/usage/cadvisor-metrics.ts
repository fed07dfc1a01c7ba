/** `/metrics/cadvisor`: the subset of cAdvisor's metrics that dashboards use. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { memoryInfo } from '../../node/machine.ts';
import type { Family } from '../../metrics/plain-exposition.ts';
import { containerRows, counter, gauge, type ContainerRow } from './container-rows.ts';
import { cpuSeconds, workingSet, type Figures, type Stats } from './usage-readings.ts';

export function cadvisorFamilies(
  figures: Figures,
  pods: readonly Pod[],
  node: Node | undefined,
): readonly Family[] {
  const perContainer = containerRows(figures, pods);
  const values = (of: (stats: Stats) => number) =>
    perContainer.map((each) => [labels(each), of(each.stats), each.atMs] as const);
  return [
    counter(
      'container_cpu_usage_seconds_total',
      'Cumulative cpu time consumed in seconds.',
      perContainer.map((each) => [{ ...labels(each), cpu: 'total' }, cpuSeconds(each.stats), each.atMs]),
    ),
    gauge('container_memory_working_set_bytes', 'Current working set in bytes.', values(workingSet)),
    gauge(
      'container_memory_usage_bytes',
      'Current memory usage in bytes, including all memory regardless of when it was accessed',
      values(({ memory }) => memory?.usageBytes?.value ?? 0),
    ),
    gauge(
      'container_memory_rss',
      'Size of RSS in bytes.',
      values(({ memory }) => memory?.rssBytes?.value ?? 0),
    ),
    gauge(
      'container_fs_usage_bytes',
      'Number of bytes that are consumed by the container on this filesystem.',
      values(({ writableLayer }) => writableLayer?.usedBytes?.value ?? 0),
    ),
    gauge(
      'container_start_time_seconds',
      'Start time of the container since unix epoch in seconds.',
      perContainer.map((each) => [labels(each), each.startedMs / 1000]),
    ),
    ...networkFamilies(figures, pods),
    gauge('container_scrape_error', '1 if there was an error while getting container metrics, 0 otherwise', [
      [{}, 0],
    ]),
    ...machineFamilies(node),
  ];
}

const labels = ({ pod, name, stats }: ContainerRow) => ({
  container: name,
  id: `/${stats.attributes?.id ?? ''}`,
  image: pod.spec?.containers.find((each) => each.name === name)?.image ?? '',
  name: stats.attributes?.id ?? '',
  namespace: pod.metadata?.namespace ?? '',
  pod: pod.metadata?.name ?? '',
});

/** For each pod with its own address. */
function networkFamilies({ sandboxes, nowMs }: Figures, pods: readonly Pod[]): readonly Family[] {
  const perPod = pods.flatMap((pod) => {
    const stats = sandboxes.get(pod.metadata?.uid ?? '');
    const network = stats?.linux?.network?.defaultInterface;
    if (stats === undefined || network === undefined) return [];
    const id = stats.attributes?.id ?? '';
    const { name: podName = '', namespace = '' } = pod.metadata ?? {};
    const labels = { container: '', id: `/${id}`, image: '', interface: network.name, name: id };
    return [{ labels: { ...labels, namespace, pod: podName }, network }];
  });
  const of = (name: string, help: string, read: (network: (typeof perPod)[0]['network']) => number) =>
    counter(
      `container_network_${name}_total`,
      help,
      perPod.map(({ labels, network }) => [labels, read(network), nowMs]),
    );
  return [
    of('receive_bytes', 'Cumulative count of bytes received', ({ rxBytes }) => rxBytes?.value ?? 0),
    of('receive_errors', 'Cumulative count of errors when receiving', ({ rxErrors }) => rxErrors?.value ?? 0),
    of('transmit_bytes', 'Cumulative count of bytes transmitted', ({ txBytes }) => txBytes?.value ?? 0),
    of(
      'transmit_errors',
      'Cumulative count of errors when transmitting',
      ({ txErrors }) => txErrors?.value ?? 0,
    ),
  ];
}

function machineFamilies(node: Node | undefined): readonly Family[] {
  const { capacity, nodeInfo } = node?.status ?? {};
  const labels = {
    boot_id: nodeInfo?.bootID ?? '',
    machine_id: nodeInfo?.machineID ?? '',
    system_uuid: nodeInfo?.systemUUID ?? '',
  };
  const of = (name: string, help: string, value: number) => gauge(`machine_${name}`, help, [[labels, value]]);
  return [
    of('cpu_cores', 'Number of logical CPU cores.', Number(capacity?.['cpu'] ?? 0)),
    of('memory_bytes', 'Amount of memory installed on the machine.', memoryInfo().get('MemTotal') ?? 0),
    of('swap_bytes', 'Amount of swap memory available on the machine.', memoryInfo().get('SwapTotal') ?? 0),
    gauge('machine_scrape_error', '1 if there was an error while getting machine metrics, 0 otherwise.', [
      [{}, 0],
    ]),
  ];
}
