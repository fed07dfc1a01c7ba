/** Maintains the endpoints of the service `kubernetes`: the addresses of all live API servers with this store. */
import { semanticDeepEqual } from '@coxswain/apimachinery';
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
import type { MasterLeases } from './master-leases.ts';
import type { SystemObjects } from './system-objects.ts';

export class EndpointReconciler {
  readonly #leases: MasterLeases;
  readonly #objects: SystemObjects;
  readonly #ip: string;
  readonly #ports: readonly EndpointPort[];
  #isStopped = false;

  constructor(leases: MasterLeases, objects: SystemObjects, ip: string, port: number) {
    this.#leases = leases;
    this.#objects = objects;
    this.#ip = ip;
    this.#ports = serverPorts(port);
  }

  /** Renews this server's lease, and updates the endpoints to the live servers. */
  async reconcile(): Promise<void> {
    if (this.#isStopped) return;
    await this.#leases.renew(this.#ip);
    await this.#settle();
  }

  /** Removes this server from the endpoints. */
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
    const found = await this.#objects.get<Endpoints>(endpointsPath);
    if (found === undefined && this.#isStopped) return;
    const wanted = wantedEndpoints(found, alive, this.#ports);
    if (found === undefined) await this.#objects.create(endpointsCollection, wanted);
    else if (wanted !== found) await this.#objects.replace(endpointsPath, wanted);
    await settleSlice(this.#objects, wanted);
  }
}

/**
 * Returns the same object if it is up to date. Ports that other servers wrote are kept, since servers may use different
 * ones.
 */
function wantedEndpoints(
  found: Endpoints | undefined,
  alive: readonly string[],
  ports: readonly EndpointPort[],
): Endpoints {
  const [subset, ...more] = found?.subsets ?? [];
  const isOne = subset !== undefined && more.length === 0;
  if (found !== undefined && isOne && isMarked(found)) {
    if (semanticDeepEqual(addressesIn(found).toSorted(), alive.toSorted())) return found;
  }
  return kubernetesEndpoints(found, alive.toSorted(), isOne && subset.ports?.length ? subset.ports : ports);
}
