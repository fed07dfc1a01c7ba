/** Packs the subsets of an Endpoints object as upstream does. */
import {
  EndpointPort as portType,
  EndpointSubset as subsetType,
} from '@coxswain/api/core/v1/endpoint-subset.ts';
import type { Endpoints } from '../objects.ts';
import { inHashOrder } from '../pod-template-hash/deep-hash.ts';

export type Subset = NonNullable<Endpoints['subsets']>[number];
export type Address = NonNullable<Subset['addresses']>[number];
export type Port = NonNullable<Subset['ports']>[number];

/** One address with all its ports; without ports, it remains separate. */
export interface Endpoint {
  readonly address: Address;
  readonly isReady: boolean;
  readonly ports: readonly Port[];
}

/** Addresses that offer exactly the same ports. */
interface Bundle {
  readonly ports: ReadonlyMap<string, Port | undefined>;
  readonly endpoints: Map<string, Endpoint>;
}

/** The maximum number of addresses in all subsets: some objects of a megabyte would have a billion. */
const addressesMax = 1_000_000;

/**
 * Groups addresses by the ports that they offer.
 * @throws Error for too many combinations
 */
export function packSubsets(endpoints: readonly Endpoint[]): Subset[] {
  const bySet = new Map<string, { ports: Port[]; endpoints: readonly Endpoint[] }>();
  for (const { ports, endpoints: offering } of groupByAddresses(bundlesOf(endpoints))) {
    const sorted = [...offering.values()].sort((a, b) => byAddress(a.address, b.address));
    const key = sorted.map((each) => `${addressKey(each.address)} ${each.isReady}`).join();
    let set = bySet.get(key);
    if (set === undefined) bySet.set(key, (set = { ports: [], endpoints: sorted }));
    for (const port of ports) if (port !== undefined) set.ports.push(port);
  }
  const subsets = [...bySet.values()].map(({ ports, endpoints: all }) => subsetOf(ports, all));
  return [...inHashOrder(subsetType, subsets)];
}

function bundlesOf(endpoints: readonly Endpoint[]): Iterable<Bundle> {
  const byList = new Map<readonly Port[], Bundle>();
  const byPorts = new Map<string, Bundle>();
  for (const endpoint of endpoints) {
    let bundle = byList.get(endpoint.ports);
    if (bundle === undefined) {
      const ports = new Map(endpoint.ports.map((port) => [portKey(port), port]));
      const key = [...ports.keys()].sort().join();
      bundle = byPorts.get(key) ?? { ports: ports.size === 0 ? noPorts : ports, endpoints: new Map() };
      byPorts.set(key, bundle);
      byList.set(endpoint.ports, bundle);
    }
    add(bundle.endpoints, endpoint);
  }
  return byPorts.values();
}

const noPorts: ReadonlyMap<string, undefined> = new Map([['', undefined]]);

/** Ports that the same bundles offer have the same addresses. */
function groupByAddresses(
  bundles: Iterable<Bundle>,
): Iterable<{ readonly ports: readonly (Port | undefined)[]; readonly endpoints: Map<string, Endpoint> }> {
  const byPort = new Map<string, { readonly port: Port | undefined; readonly offeredBy: Bundle[] }>();
  const numbers = new Map<Bundle, number>();
  for (const bundle of bundles) {
    numbers.set(bundle, numbers.size);
    for (const [key, port] of bundle.ports) {
      const known = byPort.get(key);
      if (known === undefined) byPort.set(key, { port, offeredBy: [bundle] });
      else known.offeredBy.push(bundle);
    }
  }
  let addresses = 0;
  const byBundles = Map.groupBy(byPort.values(), ({ offeredBy }) =>
    offeredBy.map((bundle) => numbers.get(bundle)).join(),
  );
  return Array.from(byBundles.values(), (members) => {
    const { offeredBy } = members[0]!;
    addresses += offeredBy.reduce((sum, { endpoints }) => sum + endpoints.size, 0);
    if (addresses > addressesMax) throw new Error('too many combinations of addresses and ports');
    return { ports: members.map(({ port }) => port), endpoints: union(offeredBy) };
  });
}

function union([first, ...others]: readonly Bundle[]): Map<string, Endpoint> {
  if (others.length === 0) return first!.endpoints;
  const all = new Map(first!.endpoints);
  for (const { endpoints } of others) for (const endpoint of endpoints.values()) add(all, endpoint);
  return all;
}

/** An address that is not ready anywhere is not ready. */
function add(endpoints: Map<string, Endpoint>, endpoint: Endpoint): void {
  const key = addressKey(endpoint.address);
  if (endpoints.get(key)?.isReady !== false) endpoints.set(key, endpoint);
}

function subsetOf(ports: readonly Port[], endpoints: readonly Endpoint[]): Subset {
  const ready = endpoints.filter(({ isReady }) => isReady).map(({ address }) => address);
  const notReady = endpoints.filter(({ isReady }) => !isReady).map(({ address }) => address);
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
    ...(ports.length === 0 ? {} : { ports: [...inHashOrder(portType, ports)] }),
  };
}

const addressKey = ({ ip, targetRef }: Address): string => `${ip} ${targetRef?.uid ?? ''}`;

const portKey = ({ name = '', port, protocol, appProtocol }: Port): string =>
  `${port} ${protocol} ${name} ${appProtocol}`;

const byAddress = (a: Address, b: Address): number =>
  a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : (a.targetRef?.uid ?? '') < (b.targetRef?.uid ?? '') ? -1 : 1;
