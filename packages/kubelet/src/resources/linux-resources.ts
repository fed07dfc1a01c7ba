/** Converts requests and limits to the kernel's units. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import {
  aggregateContainerLimits,
  aggregateContainerRequests,
} from '@coxswain/api/core/v1/pod/pod-resources.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import { parseQuantity, quantityMilliValue, quantityValue } from '@coxswain/apimachinery';
import type { Input } from '@coxswain/protobuf';
import type { LinuxContainerResources } from '../cri/sandbox-messages.ts';

export type LinuxResources = Input<typeof LinuxContainerResources>;

/** The properties of the machine that affect the configuration of containers. */
export interface MachineLimits {
  readonly memoryBytes: number;
  /** `2MB`, `1GB`: as in the names of cgroup files. */
  readonly hugepageSizes: readonly string[];
  /** On cgroup v1 with swap accounting: containers may not use swap. */
  readonly limitsSwap: boolean;
  readonly isCgroupV2: boolean;
  /** On cgroup v2: whether all processes of a container are killed when one of them runs out of memory. */
  readonly killsGroup: boolean;
  readonly cpuCfsQuota: boolean;
  /** 100 ms unless configured otherwise. */
  readonly cpuCfsQuotaPeriodUs: number;
}

const sharesMin = 2;
const sharesMax = 262_144;
const sharesPerCpu = 1024;
const quotaUsMin = 1000;

export function cpuShares(milliCpu: number): number {
  if (milliCpu === 0) return sharesMin;
  return Math.min(sharesMax, Math.max(sharesMin, Math.floor((milliCpu * sharesPerCpu) / 1000)));
}

/** Microseconds per period; 0 for no limit. */
export const cpuQuotaUs = (milliCpu: number, periodUs: number): number =>
  milliCpu === 0 ? 0 : Math.max(quotaUsMin, Math.floor((milliCpu * periodUs) / 1000));

type Amounts = Readonly<Record<string, string>>;

export const milliCpuOf = (amounts: Amounts | undefined): number | undefined =>
  amounts?.['cpu'] === undefined ? undefined : quantityMilliValue(parseQuantity(amounts['cpu']));

export const bytesOfAmount = (amounts: Amounts | undefined, name = 'memory'): number =>
  amounts?.[name] === undefined ? 0 : quantityValue(parseQuantity(amounts[name]));

export function containerResources(pod: Pod, container: Container, machine: MachineLimits): LinuxResources {
  const { requests, limits } = container.resources ?? {};
  const whole = pod.spec?.resources;
  const cpuLimit = milliCpuOf(limits) || (milliCpuOf(whole?.limits) ?? 0);
  const memoryLimit = bytesOfAmount(limits) || bytesOfAmount(whole?.limits);
  const basic = basicResources(milliCpuOf(requests), cpuLimit, memoryLimit, machine);
  return {
    ...basic,
    oomScoreAdj: oomScoreAdjustment(pod, container, machine.memoryBytes),
    hugepageLimits: hugepageLimits({ ...whole?.limits, ...limits }, machine),
    ...(machine.limitsSwap && !machine.isCgroupV2 ? { memorySwapLimitInBytes: memoryLimit } : {}),
    ...(machine.limitsSwap && machine.isCgroupV2
      ? { unified: [...(basic.unified ?? []), { key: 'memory.swap.max', value: '0' }] }
      : {}),
  };
}

const killedTogether = { key: 'memory.oom.group', value: '1' } as const;

/** The sum of all containers of a pod, as information for the runtime. */
export function sandboxResources(pod: Pod, machine: MachineLimits): LinuxResources {
  const requests = { ...aggregateContainerRequests(pod.spec!), ...pod.spec?.resources?.requests };
  const limits = { ...aggregateContainerLimits(pod.spec!), ...pod.spec?.resources?.limits };
  return basicResources(milliCpuOf(requests), milliCpuOf(limits) ?? 0, bytesOfAmount(limits), machine);
}

export function overheadResources(pod: Pod, machine: MachineLimits): LinuxResources {
  const overhead = pod.spec?.overhead;
  if (overhead === undefined || Object.keys(overhead).length === 0) return {};
  const milliCpu = milliCpuOf(overhead) ?? 0;
  return basicResources(milliCpu, milliCpu, bytesOfAmount(overhead), machine);
}

function basicResources(
  cpuRequest: number | undefined,
  cpuLimit: number,
  memoryLimitInBytes: number,
  { cpuCfsQuota, cpuCfsQuotaPeriodUs, isCgroupV2, killsGroup }: MachineLimits,
): LinuxResources {
  return {
    cpuShares: cpuShares(cpuRequest ?? cpuLimit),
    memoryLimitInBytes,
    ...(cpuCfsQuota
      ? { cpuPeriod: cpuCfsQuotaPeriodUs, cpuQuota: cpuQuotaUs(cpuLimit, cpuCfsQuotaPeriodUs) }
      : {}),
    ...(isCgroupV2 && killsGroup ? { unified: [killedTogether] } : {}),
  };
}

/** Every page size of the machine is limited, to zero unless requested. */
const hugepageLimits = (limits: Amounts, { hugepageSizes }: MachineLimits) =>
  hugepageSizes.map((pageSize) => {
    const name = Object.keys(limits).find((key) => pageSizeOf(key) === pageSize);
    return { pageSize, limit: name === undefined ? 0 : bytesOfAmount(limits, name) };
  });

/** `hugepages-2Mi` → `2MB` */
function pageSizeOf(resource: string): string | undefined {
  if (!resource.startsWith('hugepages-')) return undefined;
  let size = quantityValue(parseQuantity(resource.slice('hugepages-'.length)));
  let unit = 0;
  for (; size >= 1024 && size % 1024 === 0; unit++) size /= 1024;
  return `${size}${['B', 'KB', 'MB', 'GB', 'TB', 'PB'][unit]}`;
}

const guaranteedScore = -997;
const bestEffortScore = 1000;
const nodeCriticalPriority = 2_000_001_000;

/** The OOM score: the larger it is, the sooner the process is killed when the machine runs out of memory. */
export function oomScoreAdjustment(pod: Pod, container: Container, memoryBytes: number): number {
  if ((pod.spec?.priority ?? 0) >= nodeCriticalPriority) return guaranteedScore;
  const quality = qosClassOf({ spec: pod.spec! });
  if (quality === 'Guaranteed') return guaranteedScore;
  if (quality === 'BestEffort') return bestEffortScore;
  const spare = spareRequestBytes(pod);
  const score = (bytes: number) => bestEffortScore - Math.trunc((1000 * bytes) / memoryBytes);
  let adjustment = score(bytesOfAmount(container.resources?.requests) + spare);
  if (isSidecar(pod, container)) {
    const least = Math.min(
      ...(pod.spec?.containers ?? []).map(({ resources }) => bytesOfAmount(resources?.requests)),
    );
    adjustment = Math.min(adjustment, score(least + spare));
  }
  if (adjustment < bestEffortScore + guaranteedScore) return bestEffortScore + guaranteedScore;
  return adjustment === bestEffortScore ? bestEffortScore - 1 : adjustment;
}

/** The part of pod-level requests that exceeds the containers' requests, divided equally among them. */
function spareRequestBytes({ spec }: Pod): number {
  const whole = bytesOfAmount(spec?.resources?.requests);
  if (whole === 0) return 0;
  const containers = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ];
  const own = bytesOfAmount(aggregateContainerRequests(spec!));
  return Math.max(0, Math.floor((whole - own) / containers.length));
}

const isSidecar = ({ spec }: Pod, { name, restartPolicy }: Container): boolean =>
  restartPolicy === 'Always' && (spec?.initContainers ?? []).some((init) => init.name === name);
