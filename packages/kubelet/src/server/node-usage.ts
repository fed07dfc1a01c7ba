/** How much the node and its pods use: the summary, and the same as metrics. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { formatTime } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import type { Decoded } from '@coxswain/storage/etcd/wire.ts';
import type { Cri } from '../cri/cri-client.ts';
import type { ContainerStats, PodSandboxStats } from '../cri/image-messages.ts';
import { recordOf } from '../cri/shared-messages.ts';
import { containerNameLabel, podUidLabel } from '../containers/labels.ts';
import { millisecondsOf } from '../containers/container-exit.ts';
import { filesystemUse, memoryInfo } from '../node/machine.ts';
import { nodeCpuNanoseconds, processCounts } from './node-figures.ts';
import { exposition } from './plain-exposition.ts';
import type { Family } from './plain-exposition.ts';
import { volumeFamilies } from '../metrics/volume-metrics.ts';
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import type { VolumeUsage } from '../volumes/volume-usage.ts';

export interface NodeUsageOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly nodeName: string;
  readonly rootFolder: string;
  readonly pods: () => readonly Pod[];
  readonly node: () => Node | undefined;
  /** How full the volumes of a pod are. */
  readonly volumes?: (pod: Pod) => Promise<readonly VolumeUsage[]>;
  /** What others of this process count. */
  readonly counted?: () => readonly Family[];
  readonly metrics: KubeletMetrics;
}

type Stats = Decoded<typeof ContainerStats>;
type SandboxStats = Decoded<typeof PodSandboxStats>;

interface Figures {
  readonly nowMs: number;
  readonly byPod: ReadonlyMap<string, readonly Stats[]>;
  readonly sandboxes: ReadonlyMap<string, SandboxStats>;
}

/** Two readings that are closer tell nothing about the rate. */
const rateMsMin = 1_000;

export class NodeUsage {
  readonly #options: NodeUsageOptions;
  readonly #startMs: number;
  #cpuBefore: { readonly atMs: number; readonly nanoseconds: number } | undefined;
  #nodeNanoCores = 0;
  readonly #containerBefore = new Map<
    string,
    { readonly atMs: number; readonly nanoseconds: number; readonly rate: number }
  >();

  constructor(options: NodeUsageOptions) {
    this.#options = options;
    this.#startMs = options.clock.now();
  }

  async summary(): Promise<object> {
    const figures = await this.#read();
    const { nodeName, rootFolder, pods } = this.#options;
    const time = formatTime(figures.nowMs);
    const storage = filesystemUse(rootFolder);
    const fs = {
      time,
      availableBytes: storage.availableBytes,
      capacityBytes: storage.capacityBytes,
      usedBytes: storage.capacityBytes - storage.availableBytes,
      inodesFree: storage.inodesFree,
      inodes: storage.inodes,
      inodesUsed: storage.inodes - storage.inodesFree,
    };
    const counts = processCounts();
    return {
      node: {
        nodeName,
        startTime: formatTime(this.#startMs),
        cpu: { time, usageNanoCores: this.#nodeNanoCores, usageCoreNanoSeconds: nodeCpuNanoseconds() },
        memory: { time, ...nodeMemory() },
        fs,
        runtime: { imageFs: fs, containerFs: fs },
        rlimit: { time, maxpid: counts.max, curproc: counts.current },
      },
      pods: await Promise.all(
        pods()
          .filter(({ metadata }) => figures.byPod.has(metadata?.uid ?? ''))
          .map((pod) => this.#podWithVolumes(pod, figures)),
      ),
    };
  }

  /** What is used now, as quantities. */
  async current(): Promise<CurrentUsage> {
    const { byPod } = await this.#read();
    const of = (pod: Pod) =>
      (byPod.get(pod.metadata?.uid ?? '') ?? []).map((stats) => ({
        name: recordOf(stats.attributes?.labels ?? [])[containerNameLabel] ?? '',
        usage: usageOf(this.#nanoCores(stats), workingSet(stats)),
      }));
    return {
      node: usageOf(this.#nodeNanoCores, nodeMemory().workingSetBytes),
      pods: new Map(this.#options.pods().map((pod) => [pod.metadata?.uid ?? '', of(pod)])),
    };
  }

  async resourceMetrics(): Promise<string> {
    const figures = await this.#read();
    const perContainer = this.#containers(figures);
    const labels = ({ pod, name }: Counted) => ({
      container: name,
      namespace: pod.metadata?.namespace ?? '',
      pod: pod.metadata?.name ?? '',
    });
    const podLabels = ({ metadata }: Pod) => ({
      namespace: metadata?.namespace ?? '',
      pod: metadata?.name ?? '',
    });
    const byPod = this.#options.pods().filter(({ metadata }) => figures.byPod.has(metadata?.uid ?? ''));
    const sum = (pod: Pod, of: (stats: Stats) => number) =>
      (figures.byPod.get(pod.metadata?.uid ?? '') ?? []).reduce((total, stats) => total + of(stats), 0);
    return exposition([
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
    ]);
  }

  /** The few that dashboards are made of. */
  async cadvisorMetrics(): Promise<string> {
    const figures = await this.#read();
    const perContainer = this.#containers(figures);
    const labels = ({ pod, name, stats }: Counted) => ({
      container: name,
      id: `/${stats.attributes?.id ?? ''}`,
      image: pod.spec?.containers.find((each) => each.name === name)?.image ?? '',
      name: stats.attributes?.id ?? '',
      namespace: pod.metadata?.namespace ?? '',
      pod: pod.metadata?.name ?? '',
    });
    const values = (of: (stats: Stats) => number) =>
      perContainer.map((each) => [labels(each), of(each.stats), each.atMs] as const);
    return exposition([
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
      ...this.#networkFamilies(figures),
      gauge(
        'container_scrape_error',
        '1 if there was an error while getting container metrics, 0 otherwise',
        [[{}, 0]],
      ),
      ...this.#machineFamilies(),
    ]);
  }

  /** Of each pod with an address of its own. */
  #networkFamilies({ sandboxes, nowMs }: Figures): readonly Family[] {
    const perPod = this.#options.pods().flatMap((pod) => {
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
      of(
        'receive_errors',
        'Cumulative count of errors when receiving',
        ({ rxErrors }) => rxErrors?.value ?? 0,
      ),
      of('transmit_bytes', 'Cumulative count of bytes transmitted', ({ txBytes }) => txBytes?.value ?? 0),
      of(
        'transmit_errors',
        'Cumulative count of errors when transmitting',
        ({ txErrors }) => txErrors?.value ?? 0,
      ),
    ];
  }

  #machineFamilies(): readonly Family[] {
    const { capacity, nodeInfo } = this.#options.node()?.status ?? {};
    const labels = {
      boot_id: nodeInfo?.bootID ?? '',
      machine_id: nodeInfo?.machineID ?? '',
      system_uuid: nodeInfo?.systemUUID ?? '',
    };
    const of = (name: string, help: string, value: number) =>
      gauge(`machine_${name}`, help, [[labels, value]]);
    return [
      of('cpu_cores', 'Number of logical CPU cores.', Number(capacity?.['cpu'] ?? 0)),
      of('memory_bytes', 'Amount of memory installed on the machine.', memoryInfo().get('MemTotal') ?? 0),
      of('swap_bytes', 'Amount of swap memory available on the machine.', memoryInfo().get('SwapTotal') ?? 0),
      gauge('machine_scrape_error', '1 if there was an error while getting machine metrics, 0 otherwise.', [
        [{}, 0],
      ]),
    ];
  }

  async ownMetrics(): Promise<string> {
    const { metrics, counted } = this.#options;
    return metrics.metrics.exposition() + exposition([...(counted?.() ?? []), ...(await this.#volumes())]);
  }

  probeMetrics(): string {
    return this.#options.metrics.probes.exposition();
  }

  async #volumes(): Promise<readonly Family[]> {
    const { pods, volumes } = this.#options;
    return volumeFamilies(
      (await Promise.all(pods().map(async (pod) => (await volumes?.(pod)) ?? []))).flat(),
    );
  }

  async #read(): Promise<Figures> {
    const { cri, clock } = this.#options;
    const nowMs = clock.now();
    const [{ stats }, sandboxes] = await Promise.all([
      cri.listContainerStats({}),
      cri.listPodSandboxStats({}).catch(() => ({ stats: [] })),
    ]);
    const byPod = new Map<string, Stats[]>();
    for (const each of stats) {
      const uid = recordOf(each.attributes?.labels ?? [])[podUidLabel] ?? '';
      byPod.set(uid, [...(byPod.get(uid) ?? []), each]);
    }
    this.#noteNodeRate(nowMs);
    return {
      nowMs,
      byPod,
      sandboxes: new Map(sandboxes.stats.map((each) => [each.attributes?.metadata?.uid ?? '', each])),
    };
  }

  #noteNodeRate(atMs: number): void {
    const nanoseconds = nodeCpuNanoseconds();
    const before = this.#cpuBefore;
    if (before !== undefined && atMs - before.atMs < rateMsMin) return;
    this.#cpuBefore = { atMs, nanoseconds };
    if (before !== undefined)
      this.#nodeNanoCores = Math.max(
        0,
        Math.round(((nanoseconds - before.nanoseconds) / (atMs - before.atMs)) * 1000),
      );
  }

  /** From the reading before, where the runtime has no rate of its own. */
  #nanoCores({ attributes, cpu }: Stats): number {
    if (cpu?.usageNanoCores !== undefined) return cpu.usageNanoCores.value;
    const id = attributes?.id ?? '';
    const atMs = millisecondsOf(cpu?.timestamp ?? 0);
    const nanoseconds = cpu?.usageCoreNanoSeconds?.value ?? 0;
    const before = this.#containerBefore.get(id);
    if (before !== undefined && atMs - before.atMs < rateMsMin) return before.rate;
    const rate =
      before === undefined
        ? 0
        : Math.max(0, Math.round(((nanoseconds - before.nanoseconds) / (atMs - before.atMs)) * 1000));
    this.#containerBefore.set(id, { atMs, nanoseconds, rate });
    return rate;
  }

  async #podWithVolumes(pod: Pod, figures: Figures): Promise<object> {
    const summary = this.#podSummary(pod, figures);
    const volumes = (await this.#options.volumes?.(pod)) ?? [];
    if (volumes.length === 0) return summary;
    const time = formatTime(figures.nowMs);
    return { ...summary, volume: volumes.map((each) => ({ time, ...each })) };
  }

  #podSummary(pod: Pod, { byPod, sandboxes, nowMs }: Figures): object {
    const uid = pod.metadata?.uid ?? '';
    const stats = byPod.get(uid) ?? [];
    const containers = stats.map((each) => this.#containerSummary(pod, each));
    const total = (of: (each: ContainerSummary) => number) =>
      containers.reduce((sum, each) => sum + of(each), 0);
    const time = formatTime(nowMs);
    const network = sandboxes.get(uid)?.linux?.network?.defaultInterface;
    return {
      podRef: { name: pod.metadata?.name, namespace: pod.metadata?.namespace, uid },
      startTime: pod.status?.startTime ?? null,
      containers,
      cpu: {
        time,
        usageNanoCores: total(({ cpu }) => cpu.usageNanoCores),
        usageCoreNanoSeconds: total(({ cpu }) => cpu.usageCoreNanoSeconds),
      },
      memory: {
        time,
        usageBytes: total(({ memory }) => memory.usageBytes),
        workingSetBytes: total(({ memory }) => memory.workingSetBytes),
        rssBytes: total(({ memory }) => memory.rssBytes),
      },
      ...(network === undefined
        ? {}
        : {
            network: {
              time,
              name: network.name,
              rxBytes: network.rxBytes?.value ?? 0,
              txBytes: network.txBytes?.value ?? 0,
            },
          }),
    };
  }

  #containerSummary(pod: Pod, stats: Stats): ContainerSummary {
    const { attributes, cpu, memory, writableLayer } = stats;
    const name = recordOf(attributes?.labels ?? [])[containerNameLabel] ?? '';
    const status = pod.status?.containerStatuses?.find((each) => each.name === name);
    const timeOf = (nanoseconds = 0) => formatTime(millisecondsOf(nanoseconds));
    return {
      name,
      startTime: status?.state?.running?.startedAt ?? null,
      cpu: {
        time: timeOf(cpu?.timestamp),
        usageNanoCores: this.#nanoCores(stats),
        usageCoreNanoSeconds: cpu?.usageCoreNanoSeconds?.value ?? 0,
      },
      memory: {
        time: timeOf(memory?.timestamp),
        ...(memory?.availableBytes === undefined ? {} : { availableBytes: memory.availableBytes.value }),
        usageBytes: memory?.usageBytes?.value ?? 0,
        workingSetBytes: memory?.workingSetBytes?.value ?? 0,
        rssBytes: memory?.rssBytes?.value ?? 0,
        pageFaults: memory?.pageFaults?.value ?? 0,
        majorPageFaults: memory?.majorPageFaults?.value ?? 0,
      },
      rootfs: {
        time: timeOf(writableLayer?.timestamp),
        usedBytes: writableLayer?.usedBytes?.value ?? 0,
        inodesUsed: writableLayer?.inodesUsed?.value ?? 0,
      },
    };
  }

  #containers({ byPod }: Figures): readonly Counted[] {
    return this.#options.pods().flatMap((pod) =>
      (byPod.get(pod.metadata?.uid ?? '') ?? []).map((stats) => {
        const name = recordOf(stats.attributes?.labels ?? [])[containerNameLabel] ?? '';
        const started = pod.status?.containerStatuses?.find((each) => each.name === name)?.state?.running
          ?.startedAt;
        return {
          pod,
          name,
          stats,
          atMs: millisecondsOf(stats.cpu?.timestamp ?? 0),
          startedMs: started ? Date.parse(started) : 0,
        };
      }),
    );
  }
}

interface ContainerSummary {
  readonly name: string;
  readonly startTime: string | null;
  readonly cpu: {
    readonly time: string;
    readonly usageNanoCores: number;
    readonly usageCoreNanoSeconds: number;
  };
  readonly memory: {
    readonly time: string;
    readonly usageBytes: number;
    readonly workingSetBytes: number;
    readonly rssBytes: number;
    readonly pageFaults: number;
    readonly majorPageFaults: number;
  };
  readonly rootfs: { readonly time: string; readonly usedBytes: number; readonly inodesUsed: number };
}

interface Counted {
  readonly pod: Pod;
  readonly name: string;
  readonly stats: Stats;
  readonly atMs: number;
  readonly startedMs: number;
}

/** Of the node, and by pod's uid of its containers. */
export interface CurrentUsage {
  readonly node: Usage;
  readonly pods: ReadonlyMap<string, readonly { readonly name: string; readonly usage: Usage }[]>;
}

type Usage = { readonly cpu: string; readonly memory: string };

/** Billionths of a processor and KiB, as metrics servers tell them. */
const usageOf = (nanoCores: number, bytes: number): Usage => ({
  cpu: nanoCores === 0 ? '0' : `${nanoCores}n`,
  memory: `${Math.ceil(bytes / 1024)}Ki`,
});

type Values = Family['values'];
const counter = (name: string, help: string, values: Values): Family => ({
  name,
  help,
  type: 'counter',
  values,
});
const gauge = (name: string, help: string, values: Values): Family => ({ name, help, type: 'gauge', values });

const cpuSeconds = ({ cpu }: Stats): number => (cpu?.usageCoreNanoSeconds?.value ?? 0) / 1e9;
const workingSet = ({ memory }: Stats): number => memory?.workingSetBytes?.value ?? 0;

const swapUsedBytes = (): number =>
  (memoryInfo().get('SwapTotal') ?? 0) - (memoryInfo().get('SwapFree') ?? 0);

/** What is used, and what of it could not be given back at once. */
function nodeMemory() {
  const info = memoryInfo();
  const of = (name: string) => info.get(name) ?? 0;
  const usageBytes = of('MemTotal') - of('MemFree');
  return {
    availableBytes: of('MemAvailable'),
    usageBytes,
    workingSetBytes: Math.max(0, of('MemTotal') - of('MemAvailable')),
    rssBytes: of('AnonPages'),
    pageFaults: 0,
    majorPageFaults: 0,
  };
}
