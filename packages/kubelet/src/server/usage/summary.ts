/** `/stats/summary`: a reading in the format of the summary API. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { formatTime } from '@coxswain/apimachinery';
import { millisecondsOf } from '../../containers/container-exit.ts';
import { containerNameLabel } from '../../containers/labels.ts';
import { recordOf } from '../../cri/shared-messages.ts';
import { filesystemUse } from '../../node/machine.ts';
import type { VolumeUsage } from '../../volumes/volume-usage.ts';
import { nodeCpuNanoseconds, nodeMemory, processCounts } from '../../node/node-figures.ts';
import type { ContainerFigures, Figures } from './usage-readings.ts';

export interface SummaryParts {
  readonly nodeName: string;
  readonly rootDirectory: string;
  /** When the node started, in milliseconds. */
  readonly startMs: number;
  readonly pods: readonly Pod[];
  /** Returns the usage of a pod's volumes. */
  readonly volumes: (pod: Pod) => Promise<readonly VolumeUsage[]>;
}

export async function summaryOf(figures: Figures, parts: SummaryParts): Promise<object> {
  const known = parts.pods.filter(({ metadata }) => figures.byPod.has(metadata?.uid ?? ''));
  return {
    node: nodeSummary(figures, parts),
    pods: await Promise.all(known.map((pod) => podWithVolumes(pod, figures, parts))),
  };
}

function nodeSummary({ nowMs, nodeNanoCores }: Figures, { nodeName, rootDirectory, startMs }: SummaryParts) {
  const time = formatTime(nowMs);
  const storage = filesystemUse(rootDirectory);
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
    nodeName,
    startTime: formatTime(startMs),
    cpu: { time, usageNanoCores: nodeNanoCores, usageCoreNanoSeconds: nodeCpuNanoseconds() },
    memory: { time, ...nodeMemory() },
    fs,
    runtime: { imageFs: fs, containerFs: fs },
    rlimit: { time, maxpid: counts.max, curproc: counts.current },
  };
}

async function podWithVolumes(pod: Pod, figures: Figures, parts: SummaryParts): Promise<object> {
  const summary = podSummary(pod, figures);
  const volumes = await parts.volumes(pod);
  if (volumes.length === 0) return summary;
  const time = formatTime(figures.nowMs);
  return { ...summary, volume: volumes.map((each) => ({ time, ...each })) };
}

function podSummary(pod: Pod, { byPod, sandboxes, nowMs }: Figures): object {
  const uid = pod.metadata?.uid ?? '';
  const containers = (byPod.get(uid) ?? []).map((each) => containerSummary(pod, each));
  const total = (of: (each: ContainerSummary) => number) =>
    containers.reduce((sum, each) => sum + of(each), 0);
  const time = formatTime(nowMs);
  const network = sandboxes.get(uid)?.linux?.network?.defaultInterface;
  const traffic = network && {
    time,
    name: network.name,
    rxBytes: network.rxBytes?.value ?? 0,
    txBytes: network.txBytes?.value ?? 0,
  };
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
    ...(traffic && { network: traffic }),
  };
}

type ContainerSummary = ReturnType<typeof containerSummary>;

function containerSummary(pod: Pod, { stats, nanoCores }: ContainerFigures) {
  const { attributes, cpu, memory, writableLayer } = stats;
  const name = recordOf(attributes?.labels ?? [])[containerNameLabel] ?? '';
  const status = pod.status?.containerStatuses?.find((each) => each.name === name);
  const timeOf = (nanoseconds = 0) => formatTime(millisecondsOf(nanoseconds));
  return {
    name,
    startTime: status?.state?.running?.startedAt ?? null,
    cpu: {
      time: timeOf(cpu?.timestamp),
      usageNanoCores: nanoCores,
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
