/** The named hooks that run once the server listens, and before it stops. */
import type { ApiGroup } from '@coxswain/apiserver';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { PostStartHook, ServerLifecycle } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';
import { isLocal } from '@coxswain/storage/storage.ts';
import { bootstrapServer } from '../bootstrap/bootstrap-server.ts';
import { kubernetesService } from '../bootstrap/kubernetes-service.ts';
import { ClusterAuthenticationTrustController } from '../authentication/cluster-authentication-trust-controller.ts';
import type { PublishedTrust } from '../authentication/combined-trust.ts';
import type { Services } from '../groups/services.ts';
import { Peers } from '../peers/peers.ts';
import { serviceRepairOf } from '../service-repair/repair-of-server.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { Fairness } from './fairness.ts';
import { hookOrder, hooksOfFairness, registrationHook } from './hook-order.ts';
import type { ServerState } from './server-state.ts';

export interface HookParts {
  readonly life: ServerLifecycle;
  readonly services: Services;
  readonly fairness: Fairness;
  /** The groups that are not custom resources. */
  readonly builtInGroups: readonly ApiGroup[];
}

/** Upstream's resource of the servers' addresses. */
const serverAddresses = { group: '', resource: 'apiServerIPInfo' };

export interface StartedHooks {
  /** Publishes different authorities for extension servers from now on. */
  publishAuthentication(data: PublishedTrust): Promise<void>;
  /** Stops whatever the hooks have started. */
  stop(): void;
}

export function addHooks(options: CompletedOptions, state: ServerState, given: HookParts): StartedHooks {
  if (options.mainThread !== undefined) return hooksOfThread(given);
  const hooks = new Map<string, PostStartHook>();
  const add = (hook: PostStartHook) => void hooks.set(hook.name, hook);
  const parts = { ...state, ...given, add };
  const bootstrapped = addBootstrap(options, parts);
  parts.fairness.addHooks({ addPostStartHook: add }, bootstrapped);
  const stopRepair = addServiceRepair(options, parts, bootstrapped);
  addPeers(options, parts, bootstrapped);
  const trust = addTrust(options, parts, bootstrapped);
  addInOrder(parts.life, hooks, bootstrapped, options.features);
  return {
    publishAuthentication: (data) => trust.publish(data),
    stop() {
      stopRepair();
      trust.stop();
    },
  };
}

/** The main thread runs the hooks that a server with several threads runs once. */
function hooksOfThread({ fairness, life }: HookParts): StartedHooks {
  life.addPostStartHook({ name: 'priority-and-fairness-config-consumer', start: () => fairness.adjust() });
  return { publishAuthentication: () => Promise.resolve(), stop: () => undefined };
}

interface HookCollection extends HookParts, Pick<ServerState, 'loopback' | 'stores'> {
  readonly add: (hook: PostStartHook) => void;
}

/** Hooks that start something, and hooks that are complete with something else. */
function addInOrder(
  life: ServerLifecycle,
  hooks: ReadonlyMap<string, PostStartHook>,
  bootstrapped: Promise<void>,
  features: FeatureGates,
): void {
  const completion = { assembly: () => undefined, bootstrap: () => bootstrapped };
  let isRegistered = false;
  for (const { name, completeWith, work, gate } of hookOrder) {
    if (gate !== undefined && !features.enabled(gate)) continue;
    const own = hooks.get(name);
    if (own === undefined && hooksOfFairness.has(name)) continue;
    life.addPostStartHook(own ?? { name, start: completion[completeWith], ...(work && { work }) });
    if (name !== registrationHook) continue;
    life.addBootCheck({
      name: 'autoregister-completion',
      check: () => (isRegistered ? undefined : 'missing APIServices of built-in groups'),
    });
  }
  bootstrapped.then(
    () => (isRegistered = true),
    () => undefined,
  );
}

/** Resolves when the store has the bootstrap objects. */
function addBootstrap(options: CompletedOptions, parts: HookCollection): Promise<void> {
  const { add, loopback, services, builtInGroups } = parts;
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
      keepsEndpoints: isLocal(options.storage) && options.reconcilesEndpoints,
      serviceNodePort: options.kubernetesServiceNodePort,
      securePort: loopback.port,
      allocation: services.services,
      features: options.features,
    });
  add({
    name: 'bootstrap-controller',
    start: () =>
      bootstrap().then(bootstrapped.resolve, (failure: unknown) => {
        bootstrapped.reject(failure);
        throw failure;
      }),
    work: bootstrapServer,
  });
  return bootstrapped.promise;
}

function addServiceRepair(
  { clock, log, storage, newUid, serviceClusterIpRanges, hostName }: CompletedOptions,
  { add, loopback, services, stores }: HookCollection,
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
  add({
    name: 'start-service-ip-repair-controllers',
    start: () => bootstrapped.then(() => repair.start()),
    work: repair.start,
  });
  return () => repair.stop();
}

/** Without any client authorities there is nothing to publish: it is done once, and never checked again. */
function addTrust(
  { clock, log, publishedAuthentication }: CompletedOptions,
  { add, loopback, stores }: HookCollection,
  bootstrapped: Promise<void>,
): ClusterAuthenticationTrustController {
  const trust = new ClusterAuthenticationTrustController({
    clock,
    log,
    transport: () => loopback.transport,
    configMaps: stores.of('', 'configmaps').main,
    wanted: publishedAuthentication,
  });
  add({
    name: 'start-cluster-authentication-info-controller',
    async start() {
      await bootstrapped;
      await (Object.keys(publishedAuthentication).length > 0 ? trust.start() : trust.keep());
    },
    work: trust.start,
  });
  return trust;
}

/** A server with a store of its own has no peers, but announces itself nevertheless once it listens. */
function addPeers(
  { clock, log, newUid, where, hostName, advertiseAddress, storage, ...options }: CompletedOptions,
  { add, life, loopback, services }: HookCollection,
  bootstrapped: Promise<void>,
): void {
  const isAlone = isLocal(storage);
  const peers = new Peers({
    clock,
    log,
    newUid,
    transport: loopback.transport,
    leaseStorage: where.storageFor(serverAddresses),
    storedForm: where.storedForm(serverAddresses),
    hostName,
    advertiseAddress,
    keepsEndpoints: !isAlone && options.reconcilesEndpoints,
    kubernetesService: (securePort) =>
      kubernetesService({
        clusterIp: services.services.firstAddress,
        securePort,
        nodePort: options.kubernetesServiceNodePort,
      }),
    serversCount: options.serversCount,
  });
  add({
    name: 'start-kube-apiserver-identity-lease-controller',
    async start() {
      await bootstrapped;
      if (!isAlone || loopback.address !== undefined) await peers.start(loopback.port);
    },
    work: peers.start,
  });
  life.addPreShutdownHook({ name: 'stop-kubernetes-service-controller', stop: () => peers.stop() });
}
