/** Removes servers that are gone from the records of storage versions. */
import type { StorageVersion as StorageVersionShape } from '@coxswain/api/apiserverinternal/v1alpha1/storage-version.ts';
import {
  formatTime,
  isStatusError,
  type GroupVersionResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Controller, ControllerContext } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { withServers, type StorageVersion } from './server-records.ts';

const storageVersions: GroupVersionResource = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  resource: 'storageversions',
};

/** Every API server maintains a lease there. */
const leaseNamespace = 'kube-system';
const identityLabel = 'apiserver.kubernetes.io/identity';
const identityOfServers = 'kube-apiserver';

export const storageVersionCollector: Controller = {
  name: 'storageversion-garbage-collector-controller',
  aliases: ['storage-version-gc'],
  featureGates: ['APIServerIdentity', 'StorageVersionAPI'],
  serviceAccount: 'storage-version-garbage-collector',
  start(context) {
    const { informers } = context;
    const leases = informers.informer<KubeObject>(resources.leases);
    const versions = informers.informer<StorageVersion>(storageVersions);
    const ready = () => Promise.all([leases.synced, versions.synced]);
    const collector = new Collector(context);
    const stale = startReconciler(context, {
      queueName: 'storage_version_garbage_collector_storageversions',
      workers: 1,
      ready,
      reconcile: collector.removeUnknownServers.bind(collector),
    });
    const gone = startReconciler(context, {
      queueName: 'storage_version_garbage_collector_leases',
      workers: 1,
      ready,
      reconcile: collector.removeServer.bind(collector),
    });
    const look = (version: StorageVersion) => {
      const servers = version.status?.storageVersions ?? [];
      const isKnown = (id = '') => isServer(leases.lister.get(id, leaseNamespace));
      if (!servers.every(({ apiServerID }) => isKnown(apiServerID))) stale.addObject(version);
    };
    versions.addHandler(onWrite(look));
    leases.addHandler({
      deleted: (lease) => {
        if (lease.metadata.namespace === leaseNamespace && isServer(lease))
          gone.add(lease.metadata.name ?? '');
      },
    });
  },
};

const isServer = (lease: KubeObject | undefined): boolean =>
  lease?.metadata.labels?.[identityLabel] === identityOfServers;

/** Reads from the API itself, since a record must not be removed because of a stale cache. */
class Collector {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  async removeUnknownServers(name: string): Promise<void> {
    const version = await found(this.#versions.get(name));
    if (version === undefined) return;
    const servers = version.status?.storageVersions ?? [];
    const known: typeof servers = [];
    for (const server of servers)
      if (isServer(await found(this.#leases.get(server.apiServerID ?? '')))) known.push(server);
    if (known.length < servers.length) await this.#keep(version, known);
  }

  async removeServer(id: string): Promise<void> {
    if ((await found(this.#leases.get(id))) !== undefined) return;
    for await (const version of this.#versions.items()) {
      const servers = version.status?.storageVersions ?? [];
      const others = servers.filter(({ apiServerID }) => apiServerID !== id);
      if (others.length < servers.length) await this.#keep(version, others);
    }
  }

  async #keep(version: StorageVersion, servers: ServerRecords): Promise<void> {
    if (servers.length === 0) await this.#versions.delete(version.metadata.name ?? '');
    else await this.#versions.updateStatus(withServers(version, servers, formatTime(this.#now)));
  }

  get #now(): number {
    return this.#context.clock.now();
  }

  get #versions() {
    return this.#context.client.resource<StorageVersion>(storageVersions);
  }

  get #leases() {
    return this.#context.client.resource<KubeObject>(resources.leases).namespace(leaseNamespace);
  }
}

type ServerRecords = NonNullable<NonNullable<StorageVersionShape['status']>['storageVersions']>;

async function found<T>(getting: Promise<T>): Promise<T | undefined> {
  try {
    return await getting;
  } catch (failure) {
    if (isStatusError(failure, 'NotFound')) return undefined;
    throw failure;
  }
}
