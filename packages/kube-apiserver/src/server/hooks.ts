/** What the server does once it listens, and before it stops: each a named hook. */
import type { ApiGroup } from '@coxswain/apiserver';
import type { ServerLife } from '@coxswain/apiserver/lifecycle/server-life.ts';
import { isLocal } from '@coxswain/storage/storage.ts';
import { bootstrapServer } from '../bootstrap/bootstrap-server.ts';
import type { StoreTable } from '../groups/install.ts';
import type { Services } from '../groups/services.ts';
import { Peers } from '../peers/peers.ts';
import { serviceRepairOf } from '../service-repair/repair-of-server.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { Fairness } from './fairness.ts';
import type { Loopback } from './loopback.ts';

export interface HookParts {
  readonly life: ServerLife;
  readonly loopback: Loopback;
  readonly services: Services;
  readonly stores: StoreTable;
  readonly fairness: Fairness;
  /** Those that are served without anybody defining them. */
  readonly builtInGroups: readonly ApiGroup[];
}

/** What the original calls the servers' addresses. */
const serverAddresses = { group: '', resource: 'apiServerIPInfo' };

/** Returns how to stop what the hooks have started. */
export function addHooks(options: CompletedOptions, parts: HookParts): () => void {
  const bootstrapped = addBootstrap(options, parts);
  parts.fairness.addHooks(parts.life, bootstrapped);
  const stopRepair = addServiceRepair(options, parts, bootstrapped);
  // Who has a store to itself has no peers.
  if (!isLocal(options.storage)) addPeers(options, parts, bootstrapped);
  return stopRepair;
}

/** Resolves when the store has what every cluster has. */
function addBootstrap(options: CompletedOptions, parts: HookParts): Promise<void> {
  const { life, loopback, services, builtInGroups } = parts;
  const bootstrapped = Promise.withResolvers<void>();
  bootstrapped.promise.catch(() => undefined);
  const bootstrap = () =>
    bootstrapServer({
      objects: services.objects,
      transport: loopback.transport,
      log: options.log,
      clock: options.clock,
      apiGroups: builtInGroups,
      serviceRanges: options.serviceClusterIpRanges,
      advertiseAddress: options.advertiseAddress,
      isAlone: isLocal(options.storage),
      securePort: loopback.port,
      publishedAuthentication: options.publishedAuthentication,
      allocation: services.services,
    });
  life.addPostStartHook({
    name: 'bootstrap-controller',
    start: () =>
      bootstrap().then(bootstrapped.resolve, (failure: unknown) => {
        bootstrapped.reject(failure);
        throw failure;
      }),
  });
  return bootstrapped.promise;
}

function addServiceRepair(
  { clock, log, storage, newUid, serviceClusterIpRanges, hostName }: CompletedOptions,
  { life, loopback, services, stores }: HookParts,
  bootstrapped: Promise<void>,
): () => void {
  const repair = serviceRepairOf({
    clock,
    log,
    storage,
    objects: services.objects,
    stores,
    serviceRanges: serviceClusterIpRanges,
    transport: loopback.transport,
    newUid,
    allocation: services.services,
    instance: hostName,
  });
  life.addPostStartHook({
    name: 'start-service-ip-repair-controllers',
    start: () => bootstrapped.then(() => repair.start()),
  });
  return () => repair.stop();
}

function addPeers(
  { clock, log, newUid, where, hostName, advertiseAddress }: CompletedOptions,
  { life, loopback }: HookParts,
  bootstrapped: Promise<void>,
): void {
  const peers = new Peers({
    clock,
    log,
    newUid,
    transport: loopback.transport,
    leaseStorage: where.storageFor(serverAddresses),
    storedForm: where.storedForm(serverAddresses),
    hostName,
    advertiseAddress,
  });
  life.addPostStartHook({
    name: 'start-kubernetes-service-controller',
    start: () => bootstrapped.then(() => peers.start(loopback.port)),
  });
  life.addPreShutdownHook({ name: 'stop-kubernetes-service-controller', stop: () => peers.stop() });
}
