/** Resizes a running pod so that its containers are never allowed more than the pod as a whole. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isGrpcFailure } from '@coxswain/grpc/status.ts';
import type { CgroupLimits } from '../cgroups/cgroup-driver.ts';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { Cri } from '../cri/cri-client.ts';
import type { ResizedContainer } from '../runtime.ts';
import { containerResources, overheadResources, type MachineLimits } from '../resources/linux-resources.ts';

export interface PodResize {
  readonly cri: Cri;
  readonly cgroups: PodCgroups;
  readonly machine: MachineLimits;
  readonly podSandboxId: string;
  readonly before: Pod;
  readonly after: Pod;
  readonly containers: readonly ResizedContainer[];
}

type Bound = 'memoryBytes' | 'cpuQuotaUs' | 'cpuShares';

/** Handles memory first. Increases apply to the pod before its containers, decreases after them. @throws GrpcError */
export async function resizePod(resize: PodResize): Promise<void> {
  const { cgroups, before, after } = resize;
  let current = cgroups.limitsOf(before);
  const wanted = cgroups.limitsOf(after);
  const set = async (bound: Bound): Promise<void> => {
    current = { ...current, [bound]: wanted[bound] };
    await updateRuntime(resize, current);
    await cgroups.set(after, { ...current, pidsMax: undefined });
  };
  const grows = (bound: Bound) => isMore(wanted[bound], current[bound]);
  const shrinks = (bound: Bound) => isMore(current[bound], wanted[bound]);
  for (const resource of ['memory', 'cpu'] as const) {
    const changed = resize.containers.filter(({ from, to }) => differs(from, to, resource));
    const bounds: readonly Bound[] = resource === 'memory' ? ['memoryBytes'] : ['cpuQuotaUs', 'cpuShares'];
    for (const bound of bounds) if (grows(bound)) await set(bound);
    for (const { id, from, to } of changed) {
      const linux = containerResources(
        after,
        resource === 'memory' ? memoryOnly(from, to) : to,
        resize.machine,
      );
      await resize.cri.updateContainerResources({ containerId: id, linux });
    }
    for (const bound of bounds.toReversed()) if (shrinks(bound)) await set(bound);
  }
  await cgroups.update(after);
}

/** No limit counts as the largest. */
const isMore = (one = -1, other = -1): boolean =>
  one !== other && (one === -1 || (other !== -1 && one > other));

const differs = (from: Container, to: Container, resource: 'memory' | 'cpu'): boolean =>
  (['requests', 'limits'] as const).some(
    (kind) => from.resources?.[kind]?.[resource] !== to.resources?.[kind]?.[resource],
  );

/** CPU remains unchanged until memory is done. */
function memoryOnly(from: Container, to: Container): Container {
  const mixed = (kind: 'requests' | 'limits') => {
    const { cpu: _, ...rest } = to.resources?.[kind] ?? {};
    const cpu = from.resources?.[kind]?.['cpu'];
    return cpu === undefined ? rest : { ...rest, cpu };
  };
  return { ...to, resources: { ...to.resources, requests: mixed('requests'), limits: mixed('limits') } };
}

/** Runtimes that don't implement the call are not notified. */
async function updateRuntime(
  { cri, podSandboxId, after, machine }: PodResize,
  { cpuPeriodUs, cpuQuotaUs, cpuShares, memoryBytes }: CgroupLimits,
): Promise<void> {
  const resources = {
    cpuPeriod: cpuPeriodUs ?? 0,
    cpuQuota: cpuQuotaUs ?? 0,
    cpuShares: cpuShares ?? 0,
    memoryLimitInBytes: memoryBytes ?? 0,
  };
  await cri
    .updatePodSandboxResources({ podSandboxId, overhead: overheadResources(after, machine), resources })
    .catch((error: unknown) => {
      if (!isGrpcFailure(error, 'unimplemented')) throw error;
    });
}
