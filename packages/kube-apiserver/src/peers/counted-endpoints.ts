/**
 * Maintains the endpoints of the service `kubernetes` for servers that only know how many there are
 * (`--endpoint-reconciler-type=master-count`): each adds itself, and if there are too many removes those that follow it
 * in order. A server that crashes stays until another one needs its place.
 */
import type { Endpoints } from '@coxswain/api/core/v1/endpoints.ts';
import type { EndpointPort } from '@coxswain/api/core/v1/endpoint-subset.ts';
import {
  addressesIn,
  endpointsCollection,
  endpointsPath,
  isMarked,
  kubernetesEndpoints,
  serverPorts,
  settleSlice,
} from './kubernetes-endpoints.ts';
import type { SystemObjects } from './system-objects.ts';

export class CountedEndpoints {
  readonly #objects: SystemObjects;
  readonly #ip: string;
  readonly #ports: readonly EndpointPort[];
  readonly #countMax: number;
  #isStopped = false;

  constructor(objects: SystemObjects, ip: string, port: number, countMax: number) {
    this.#objects = objects;
    this.#ip = ip;
    this.#ports = serverPorts(port);
    this.#countMax = countMax;
  }

  async reconcile(): Promise<void> {
    if (this.#isStopped) return;
    const found = await this.#objects.get<Endpoints>(endpointsPath);
    const [subset, ...more] = found?.subsets ?? [];
    const isOne = subset !== undefined && more.length === 0;
    const there = found === undefined ? [] : addressesIn(found);
    const wanted = countedAddresses(there, this.#ip, this.#countMax);
    if (found !== undefined && isOne && isMarked(found) && wanted === there)
      return settleSlice(this.#objects, found);
    const endpoints = kubernetesEndpoints(found, wanted, isOne ? (subset.ports ?? []) : this.#ports);
    if (found === undefined) await this.#objects.create(endpointsCollection, endpoints);
    else await this.#objects.replace(endpointsPath, endpoints);
    await settleSlice(this.#objects, endpoints);
  }

  /** Removes this server and keeps the others. */
  async leave(): Promise<void> {
    this.#isStopped = true;
    const found = await this.#objects.get<Endpoints>(endpointsPath);
    const [subset] = found?.subsets ?? [];
    if (found === undefined || subset === undefined) return;
    const others = (subset.addresses ?? []).map(({ ip }) => ip).filter((ip) => ip !== this.#ip);
    const endpoints = kubernetesEndpoints(found, others, subset.ports ?? []);
    await this.#objects.replace(endpointsPath, endpoints);
    await settleSlice(this.#objects, endpoints);
  }
}

/** Returns the same list if nothing changes. */
export function countedAddresses(there: readonly string[], own: string, countMax: number): readonly string[] {
  if (there.includes(own) && there.length <= countMax) return there;
  const addresses = [...new Set([...there, own])].toSorted();
  while (addresses.length > countMax) {
    // The first address follows the last.
    addresses.splice((addresses.indexOf(own) + 1) % addresses.length, 1);
  }
  return addresses;
}
