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

interface PortGroup {
  readonly port: Port | undefined;
  readonly endpoints: Map<string, Endpoint>;
}

/** Groups addresses by the ports that they offer. */
export function packSubsets(endpoints: readonly Endpoint[]): Subset[] {
  const bySet = new Map<string, { ports: Port[]; endpoints: readonly Endpoint[] }>();
  for (const { port, endpoints: offering } of groupByPort(endpoints)) {
    const sorted = [...offering.values()].sort((a, b) => byAddress(a.address, b.address));
    const key = sorted.map((each) => `${addressKey(each.address)} ${each.isReady}`).join();
    let set = bySet.get(key);
    if (set === undefined) bySet.set(key, (set = { ports: [], endpoints: sorted }));
    if (port !== undefined) set.ports.push(port);
  }
  const subsets = [...bySet.values()].map(({ ports, endpoints: all }) => subsetOf(ports, all));
  return [...inHashOrder(subsetType, subsets)];
}

function groupByPort(endpoints: readonly Endpoint[]): Iterable<PortGroup> {
  const groups = new Map<string, PortGroup>();
  for (const endpoint of endpoints) {
    for (const port of endpoint.ports.length === 0 ? [undefined] : endpoint.ports) {
      const key = port === undefined ? '' : portKey(port);
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = { port, endpoints: new Map() }));
      const address = addressKey(endpoint.address);
      if (group.endpoints.get(address)?.isReady !== false) group.endpoints.set(address, endpoint);
    }
  }
  return groups.values();
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
  JSON.stringify([name, port, protocol, appProtocol]);

const byAddress = (a: Address, b: Address): number =>
  a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : (a.targetRef?.uid ?? '') < (b.targetRef?.uid ?? '') ? -1 : 1;
