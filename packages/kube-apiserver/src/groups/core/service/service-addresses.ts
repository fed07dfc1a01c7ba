/** Allocates and releases the cluster IPs of a service around a write. */
import { internalError, StatusError } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { RangeFullError, type ClusterIpAllocator } from './cluster-ip-allocator.ts';
import { familyOf, type IpFamily } from './ip-family.ts';
import { headless, isUntouchedDualStack, needsClusterIp, refused } from './service-needs.ts';

export interface AddressChange {
  /** Released when the write fails. */
  readonly taken: readonly string[];
  /** Released when it succeeds. */
  readonly given: readonly string[];
}

const nothing: AddressChange = { taken: [], given: [] };

export class ServiceAddresses {
  readonly #allocators: ReadonlyMap<IpFamily, ClusterIpAllocator>;

  constructor(allocators: readonly ClusterIpAllocator[]) {
    this.#allocators = new Map(allocators.map((allocator) => [allocator.family, allocator]));
  }

  /** The default family first. */
  get families(): readonly IpFamily[] {
    return [...this.#allocators.keys()];
  }

  /** @throws StatusError without having taken anything */
  async take(service: Service, dryRun: boolean): Promise<AddressChange> {
    const { spec } = service;
    if (!needsClusterIp(service) || spec.clusterIPs?.[0] === headless) return nothing;
    const families = (spec.ipFamilies ?? []) as readonly IpFamily[];
    // An empty text stands for any address; error messages show it.
    const wanted = families.map((_, index) => spec.clusterIPs?.[index] ?? '');
    spec.clusterIPs = [...wanted, ...(spec.clusterIPs ?? []).slice(wanted.length)];
    const taken: string[] = [];
    for (const [index, family] of families.entries()) {
      taken.push(await this.#takeOne(service, family, wanted[index]!, dryRun, taken));
    }
    spec.clusterIPs = [...taken, ...spec.clusterIPs.slice(taken.length)];
    if (spec.clusterIPs[0] !== undefined) spec.clusterIP = spec.clusterIPs[0];
    return { taken: dryRun ? [] : taken, given: [] };
  }

  /** @throws StatusError without having taken anything */
  async change(service: Service, old: Service, dryRun: boolean): Promise<AddressChange> {
    if (isUntouchedDualStack(service, old)) return nothing;
    if (!needsClusterIp(old)) return this.take(service, dryRun);
    const before = addressesOf(old);
    if (before.length === 0) return nothing;
    if (!needsClusterIp(service)) return released(before, dryRun);
    const [earlier, now] = [old.spec.ipFamilies?.length ?? 0, service.spec.ipFamilies?.length ?? 0];
    if (earlier === 2 && now === 1) return released(before.slice(1), dryRun);
    return earlier === 1 && now === 2 ? this.#takeSecond(service, dryRun) : nothing;
  }

  async release(addresses: readonly string[]): Promise<void> {
    for (const ip of addresses) await this.#allocators.get(familyOf(ip))?.release(ip);
  }

  async #takeSecond(service: Service, dryRun: boolean): Promise<AddressChange> {
    const { spec } = service;
    const [first = '', second = ''] = spec.clusterIPs ?? [];
    spec.clusterIPs = [first, second];
    const family = spec.ipFamilies![1] as IpFamily;
    const taken = await this.#takeOne(service, family, second, dryRun, []);
    spec.clusterIPs = [first, taken];
    return { taken: dryRun ? [] : [taken], given: [] };
  }

  async #takeOne(
    service: Service,
    family: IpFamily,
    wanted: string,
    dryRun: boolean,
    takenBefore: readonly string[],
  ): Promise<string> {
    const allocator = this.#allocators.get(family);
    // A headless service may have a family for which the cluster has no range; upstream panics here.
    if (allocator === undefined) throw internalError(`${family} is not configured on this cluster`);
    const { name = '', namespace = '' } = service.metadata;
    try {
      if (wanted === '') return await allocator.takeAny({ name, namespace }, dryRun);
      await allocator.take(wanted, { name, namespace }, dryRun);
      return wanted;
    } catch (error) {
      if (!dryRun) await this.release(takenBefore);
      throw addressRefused(service, wanted, error as Error);
    }
  }
}

export const addressesOf = ({ spec }: Service): string[] =>
  (spec.clusterIPs ?? []).filter((ip) => ip !== headless && ip !== '');

const released = (given: readonly string[], dryRun: boolean): AddressChange =>
  dryRun ? nothing : { taken: [], given };

function addressRefused(service: Service, wanted: string, error: Error): Error {
  if (error instanceof StatusError) return error;
  if (error instanceof RangeFullError) {
    const name = JSON.stringify(service.metadata.name ?? '');
    return internalError(`failed to allocate a serviceIP for Service ${name}: ${error.message}`);
  }
  const detail = `failed to allocate IP${wanted === '' ? '' : ` ${wanted}`}: ${error.message}`;
  return refused(service, 'spec.clusterIPs', service.spec.clusterIPs, detail);
}
