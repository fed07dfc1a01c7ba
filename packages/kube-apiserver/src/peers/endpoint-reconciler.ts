/** The addresses behind the service `kubernetes`: those of all API servers of the store that are alive. */
import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { Endpoints } from '@coxswain/api/core/v1/endpoints.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { MasterLeases } from './master-leases.ts';
import type { SystemObjects } from './system-objects.ts';

const name = 'kubernetes';
export const endpointsPath = '/api/v1/namespaces/default/endpoints';
const slicesPath = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

export const skipMirror = 'endpointslice.kubernetes.io/skip-mirror';

export type Port = { readonly name: string; readonly protocol: string; readonly port: number };

export class EndpointReconciler {
  readonly #leases: MasterLeases;
  readonly #objects: SystemObjects;
  readonly #ip: string;
  readonly #ports: readonly Port[];
  #isStopped = false;

  constructor(leases: MasterLeases, objects: SystemObjects, ip: string, port: number) {
    this.#leases = leases;
    this.#objects = objects;
    this.#ip = ip;
    this.#ports = [{ name: 'https', protocol: 'TCP', port }];
  }

  /** This server lives on, and the service has the addresses of those that do. */
  async reconcile(): Promise<void> {
    if (this.#isStopped) return;
    await this.#leases.renew(this.#ip);
    await this.#settle();
  }

  /** This server leaves; those that stay are told. */
  async leave(): Promise<void> {
    this.#isStopped = true;
    await this.#leases.remove(this.#ip);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    const alive = await this.#leases.list();
    if (alive.length === 0 && !this.#isStopped) {
      throw new Error(
        'no API server IP addresses were listed in storage, refusing to erase all endpoints for the kubernetes Service',
      );
    }
    const found = await this.#objects.get<Endpoints>(`${endpointsPath}/${name}`);
    if (found === undefined && this.#isStopped) return;
    const wanted = wantedEndpoints(found, alive, this.#ports);
    if (found === undefined) await this.#objects.create(endpointsPath, wanted);
    else if (wanted !== found) await this.#objects.replace(`${endpointsPath}/${name}`, wanted);
    await settleSlice(this.#objects, wanted);
  }
}

/** The slice has what the endpoints have: nobody else mirrors them. */
export async function settleSlice(objects: SystemObjects, endpoints: Endpoints): Promise<void> {
  const wanted = sliceOf(endpoints);
  const path = `${slicesPath}/${name}`;
  const found = await objects.get<EndpointSlice>(path);
  if (found === undefined) return objects.create(slicesPath, wanted);
  if (found.addressType !== wanted.addressType) {
    await objects.remove(path);
    return objects.create(slicesPath, wanted);
  }
  const isSame =
    semanticDeepEqual(found.endpoints ?? [], wanted.endpoints ?? []) &&
    semanticDeepEqual(found.ports, wanted.ports) &&
    semanticDeepEqual(found.metadata?.labels, wanted.metadata?.labels);
  if (!isSame) await objects.replace(path, wanted);
}

/** The same object when it is as it should be. Ports that others wrote stay: servers may differ in them. */
function wantedEndpoints(
  found: Endpoints | undefined,
  alive: readonly string[],
  ports: readonly Port[],
): Endpoints {
  const [subset, ...more] = found?.subsets ?? [];
  const isOne = subset !== undefined && more.length === 0;
  const there = (isOne ? (subset.addresses ?? []) : []).map(({ ip }) => ip);
  const isComplete = isOne && semanticDeepEqual(there.toSorted(), alive.toSorted());
  if (isComplete && found?.metadata?.labels?.[skipMirror] === 'true') return found;
  const addresses = alive.toSorted().map((ip) => ({ ip }));
  const portsKept = isOne && subset.ports?.length ? subset.ports : [...ports];
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...found?.metadata,
      name,
      namespace: 'default',
      labels: { ...found?.metadata?.labels, [skipMirror]: 'true' },
    },
    ...(addresses.length > 0 && { subsets: [{ addresses, ports: portsKept }] }),
  } as Endpoints;
}

function sliceOf({ subsets }: Endpoints): EndpointSlice {
  const [subset] = subsets ?? [];
  const addresses = subset?.addresses ?? [];
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'default', labels: { 'kubernetes.io/service-name': name } },
    addressType: addresses.length > 0 && addresses.every(({ ip }) => ip.includes(':')) ? 'IPv6' : 'IPv4',
    endpoints: addresses.map(({ ip }) => ({ addresses: [ip], conditions: { ready: true } })),
    ports: (subset?.ports ?? []).map((port) => ({
      name: port.name,
      protocol: port.protocol,
      port: port.port,
    })),
  } as EndpointSlice;
}
