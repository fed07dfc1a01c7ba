/**
 * The addresses behind the service `kubernetes`, kept by servers that know nothing of each other but how many they
 * are (`--endpoint-reconciler-type=master-count`): each adds itself, and where there are too many takes away those
 * that come after it in order. A server that dies without a word stays until another needs its place.
 */
import type { Endpoints } from '@coxswain/api/core/v1/endpoints.ts';
import { endpointsPath, settleSlice, skipMirror } from './endpoint-reconciler.ts';
import type { Port } from './endpoint-reconciler.ts';
import type { SystemObjects } from './system-objects.ts';

const name = 'kubernetes';
const path = `${endpointsPath}/${name}`;

export class CountedEndpoints {
  readonly #objects: SystemObjects;
  readonly #ip: string;
  readonly #ports: readonly Port[];
  readonly #countMax: number;
  #isStopped = false;

  constructor(objects: SystemObjects, ip: string, port: number, countMax: number) {
    this.#objects = objects;
    this.#ip = ip;
    this.#ports = [{ name: 'https', protocol: 'TCP', port }];
    this.#countMax = countMax;
  }

  async reconcile(): Promise<void> {
    if (this.#isStopped) return;
    const found = await this.#objects.get<Endpoints>(path);
    const [subset, ...more] = found?.subsets ?? [];
    const isOne = subset !== undefined && more.length === 0;
    const there = isOne ? (subset.addresses ?? []).map(({ ip }) => ip) : [];
    const wanted = countedAddresses(there, this.#ip, this.#countMax);
    const isMarked = found?.metadata?.labels?.[skipMirror] === 'true';
    if (found !== undefined && isOne && isMarked && wanted === there)
      return settleSlice(this.#objects, found);
    const endpoints = endpointsOf(found, wanted, isOne ? (subset.ports ?? []) : this.#ports);
    if (found === undefined) await this.#objects.create(endpointsPath, endpoints);
    else await this.#objects.replace(path, endpoints);
    await settleSlice(this.#objects, endpoints);
  }

  /** Takes this server away; whoever else is there stays. */
  async leave(): Promise<void> {
    this.#isStopped = true;
    const found = await this.#objects.get<Endpoints>(path);
    const [subset] = found?.subsets ?? [];
    if (found === undefined || subset === undefined) return;
    const others = (subset.addresses ?? []).map(({ ip }) => ip).filter((ip) => ip !== this.#ip);
    const endpoints = endpointsOf(found, others, subset.ports ?? []);
    await this.#objects.replace(path, endpoints);
    await settleSlice(this.#objects, endpoints);
  }
}

/** The same list where nothing is to be done. */
export function countedAddresses(there: readonly string[], own: string, countMax: number): readonly string[] {
  if (there.includes(own) && there.length <= countMax) return there;
  const addresses = [...new Set([...there, own])].toSorted();
  while (addresses.length > countMax) {
    // Behind the last comes the first.
    addresses.splice((addresses.indexOf(own) + 1) % addresses.length, 1);
  }
  return addresses;
}

const endpointsOf = (
  found: Endpoints | undefined,
  addresses: readonly string[],
  ports: readonly unknown[],
): Endpoints =>
  ({
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...found?.metadata,
      name,
      namespace: 'default',
      labels: { ...found?.metadata?.labels, [skipMirror]: 'true' },
    },
    ...(addresses.length > 0 && { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }] }),
  }) as Endpoints;
