/** The cgroup hierarchy of a node's pods: one group per quality-of-service class, which contains one per pod. */
import {
  aggregateContainerLimits,
  aggregateContainerRequests,
} from '@coxswain/api/core/v1/pod/pod-resources.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import type { Clock } from '@coxswain/apimachinery';
import { bytesOfAmount, cpuQuotaUs, cpuShares, milliCpuOf } from '../resources/linux-resources.ts';
import { isBounded } from '../status/pod-resources.ts';
import type { CgroupDriver, CgroupLimits } from './cgroup-driver.ts';

export interface PodCgroupsOptions {
  readonly driver: CgroupDriver;
  readonly clock: Clock;
  /** The root of the hierarchy; `/` unless changed by `--cgroup-root`. */
  readonly root: string;
  readonly cpuCfsQuota: boolean;
  readonly cpuPeriodUs: number;
  /** -1 for no limit. */
  readonly podPidsMax: number;
}

const minimalShares = 2;
const uidOfGroup = /^pod([0-9a-f-]+)$/;

export class PodCgroups {
  readonly #options: PodCgroupsOptions;
  readonly #active = new Map<string, Pod>();
  #burstableShares: number | undefined;

  constructor(options: PodCgroupsOptions) {
    this.#options = options;
  }

  /** Returns the parent of a pod's containers: `/kubepods/burstable/pod<uid>`. */
  parentOf(pod: Pod): string {
    return `${this.#qosGroup(pod)}/pod${pod.metadata?.uid}`;
  }

  /** Creates the groups that exist as long as the kubelet runs. */
  async prepare(allocatable: { readonly milliCpu: number; readonly memoryBytes: number }): Promise<void> {
    const { driver } = this.#options;
    await driver.create(this.#kubepods, {
      cpuShares: cpuShares(allocatable.milliCpu),
      memoryBytes: allocatable.memoryBytes,
    });
    await driver.create(`${this.#kubepods}/burstable`, { cpuShares: minimalShares });
    this.#burstableShares = minimalShares;
    await driver.create(`${this.#kubepods}/besteffort`, { cpuShares: minimalShares });
  }

  async ensure(pod: Pod): Promise<void> {
    this.#active.set(pod.metadata?.uid ?? '', pod);
    await Promise.all([
      this.#options.driver.create(this.parentOf(pod), this.limitsOf(pod)),
      this.#shareAmongBurstable(),
    ]);
  }

  /** Applies the limits after an in-place resize. */
  async update(pod: Pod): Promise<void> {
    this.#active.set(pod.metadata?.uid ?? '', pod);
    await this.#options.driver.update(this.parentOf(pod), this.limitsOf(pod));
    await this.#shareAmongBurstable();
  }

  /** Sets only some of the limits, as an intermediate step. */
  set(pod: Pod, limits: CgroupLimits): Promise<void> {
    return this.#options.driver.update(this.parentOf(pod), limits);
  }

  /** Returns the limits of the pod as a whole. */
  limitsOf(pod: Pod): CgroupLimits {
    const { cpuCfsQuota, cpuPeriodUs, podPidsMax } = this.#options;
    const pids = podPidsMax > 0 ? { pidsMax: podPidsMax } : {};
    const spec = pod.spec!;
    const quality = qosClassOf({ spec });
    if (quality === 'BestEffort') return { cpuShares: minimalShares, ...pids };
    const requests = { ...aggregateContainerRequests(spec), ...spec.resources?.requests };
    const limits = { ...aggregateContainerLimits(spec), ...spec.resources?.limits };
    const overhead = spec.overhead ?? {};
    const milliCpu = (milliCpuOf(requests) ?? 0) + (milliCpuOf(overhead) ?? 0);
    const limitCpu = milliCpuOf(limits);
    const quota =
      limitCpu && isBounded(pod, 'cpu')
        ? cpuQuotaUs(limitCpu + (milliCpuOf(overhead) ?? 0), cpuPeriodUs)
        : -1;
    const memory = isBounded(pod, 'memory') ? bytesOfAmount(limits) + bytesOfAmount(overhead) : -1;
    return {
      cpuShares: cpuShares(milliCpu),
      ...(cpuCfsQuota ? { cpuPeriodUs, cpuQuotaUs: quota } : {}),
      memoryBytes: memory,
      ...pids,
    };
  }

  /** Kills remaining processes, then removes the group. */
  async remove(pod: Pod): Promise<void> {
    this.#active.delete(pod.metadata?.uid ?? '');
    await this.#removeGroup(this.parentOf(pod));
    await this.#shareAmongBurstable();
  }

  /** Removes the groups of unknown pods. */
  async removeOthers(isKnown: (uid: string) => boolean): Promise<void> {
    for (const parent of [this.#kubepods, `${this.#kubepods}/burstable`, `${this.#kubepods}/besteffort`]) {
      for (const name of await this.#options.driver.children(parent)) {
        const uid = uidOfGroup.exec(name)?.[1];
        if (uid !== undefined && !isKnown(uid)) await this.#removeGroup(`${parent}/${name}`);
      }
    }
  }

  get #kubepods(): string {
    return `${this.#options.root.replace(/\/$/, '')}/kubepods`;
  }

  #qosGroup(pod: Pod): string {
    const quality = qosClassOf({ spec: pod.spec! });
    return quality === 'Guaranteed' ? this.#kubepods : `${this.#kubepods}/${quality.toLowerCase()}`;
  }

  async #removeGroup(group: string): Promise<void> {
    const { driver, clock } = this.#options;
    for (let attempt = 1; ; attempt++) {
      for (const pid of await driver.processes(group)) kill(pid);
      try {
        return await driver.remove(group);
      } catch (error) {
        if (attempt === removeAttemptsMax) throw error;
        await clock.sleep(removeRetryMs * attempt);
      }
    }
  }

  /** The burstable group gets the sum of its pods' CPU requests. */
  async #shareAmongBurstable(): Promise<void> {
    let milliCpu = 0;
    for (const { spec } of this.#active.values())
      if (spec && qosClassOf({ spec }) === 'Burstable')
        milliCpu += milliCpuOf(aggregateContainerRequests(spec)) ?? 0;
    const shares = cpuShares(milliCpu);
    if (shares === this.#burstableShares) return;
    await this.#options.driver.update(`${this.#kubepods}/burstable`, { cpuShares: shares });
    this.#burstableShares = shares;
  }
}

const removeAttemptsMax = 20;
const removeRetryMs = 10;

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
